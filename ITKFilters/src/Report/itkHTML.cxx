// SPDX-License-Identifier: Apache-2.0
#include "itkHTML.h"

#include "itkJPEGEncoder.h"
#include "itkText.h"

#include <itksys/Base64.h>
#include <vector>

namespace itk
{
namespace HTML
{
namespace
{
const char * const Style = R"(
:root{--ink:#1b2733;--soft:#5b6b7a;--line:#dde4ea;--pale:#f5f7f9;--disc:#0072b2;--cup:#e69f00;--warn:#b3400e;--good:#1f7a4d}
*{box-sizing:border-box}
html{-webkit-print-color-adjust:exact;print-color-adjust:exact}
body{margin:0;background:#eef1f4;color:var(--ink);font:14px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:1020px;margin:24px auto;background:#fff;padding:32px 36px;border-radius:10px;box-shadow:0 1px 3px rgba(20,40,60,.12)}
header{display:flex;justify-content:space-between;align-items:flex-start;gap:24px;border-bottom:2px solid var(--ink);padding-bottom:14px;margin-bottom:20px}
h1{font-size:24px;line-height:1.2;margin:0 0 4px;font-weight:650;overflow-wrap:anywhere}
h2{font-size:12px;letter-spacing:.06em;text-transform:uppercase;color:var(--soft);font-weight:650;margin:0 0 8px}
p{margin:0 0 8px}
.soft{color:var(--soft)}
.chip{display:inline-block;border-radius:999px;padding:2px 11px;font-size:12px;font-weight:600;border:1px solid var(--line);background:var(--pale);white-space:nowrap}
.chip.good{color:var(--good);border-color:#bfe0cf;background:#eff9f3}
.chip.warn{color:var(--warn);border-color:#f0c9b5;background:#fdf3ed}
.flags{border-left:3px solid var(--warn);background:#fdf6f1;padding:9px 14px;margin-bottom:22px;border-radius:0 6px 6px 0}
.research{font-size:11px;color:var(--soft);text-align:right;max-width:300px;line-height:1.35}
.grid{display:grid;gap:24px;margin-bottom:22px}
.two{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}
figure{margin:0}
figure img,figure svg{display:block;width:100%;height:auto}
figure img{border-radius:6px;background:#000}
figcaption{font-size:12px;color:var(--soft);margin-top:6px}
.key{display:inline-block;width:18px;height:0;border-top:3px solid;vertical-align:middle;margin:0 5px 0 0}
table{border-collapse:collapse;width:100%;font-size:13px}
th,td{padding:4px 8px;text-align:right;border-bottom:1px solid var(--line)}
th{font-weight:600;color:var(--soft);font-size:11.5px;vertical-align:bottom}
th:first-child,td:first-child{text-align:left}
td.none{color:#9aa7b3}
ul{margin:0;padding-left:18px}
footer{border-top:1px solid var(--line);padding-top:12px;font-size:11.5px;color:var(--soft)}
footer p{margin:0 0 4px;overflow-wrap:anywhere}
section{break-inside:avoid}
@media screen{section{overflow-x:auto}}
@media screen and (max-width:760px){.two{grid-template-columns:minmax(0,1fr)}main{padding:20px}}
@page{size:A4;margin:11mm}
@media print{body{background:#fff;font-size:11px}main{zoom:.78;max-width:none;margin:0;padding:0;border-radius:0;box-shadow:none}.grid{gap:14px;margin-bottom:13px}table{font-size:10.5px}th,td{padding:2px 5px}h1{font-size:20px}figcaption{font-size:10px}th{font-size:9.5px}header{margin-bottom:12px;padding-bottom:9px}.flags{margin-bottom:12px}}
)";
} // namespace

std::string Escape(const std::string & text)
{
  std::string escaped;
  for (std::size_t at = 0; at < text.size();)
  {
    const std::size_t length = GetUTF8SequenceLength(text, at);
    const char        c = text[at];
    if (length == 0 || (length == 1 && static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t'))
    {
      escaped += '?';
    }
    else if (length == 1)
    {
      escaped += c == '&'    ? "&amp;"
                 : c == '<'  ? "&lt;"
                 : c == '>'  ? "&gt;"
                 : c == '"'  ? "&quot;"
                 : c == '\'' ? "&#39;"
                             : std::string(1, c);
    }
    else
    {
      escaped += text.substr(at, length);
    }
    at += std::max<std::size_t>(length, 1);
  }
  return escaped;
}

std::string DataURI(const Image<RGBPixel<unsigned char>, 2> * image, int quality)
{
  const std::vector<unsigned char> bytes = EncodeJPEG(image, quality);
  std::vector<unsigned char>       text((bytes.size() + 2) / 3 * 4 + 4);
  const std::size_t                length = itksysBase64_Encode(bytes.data(), bytes.size(), text.data(), 0);
  return "data:image/jpeg;base64," + std::string(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length));
}

std::string Document(const std::string & title, const std::string & body, const std::string & extraStyle)
{
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\">\n<title>" +
         Escape(title) + "</title>\n<style>" + Style + extraStyle + "</style>\n</head>\n<body>\n<main>\n" + body +
         "</main>\n</body>\n</html>\n";
}
} // namespace HTML
} // namespace itk
