// SPDX-License-Identifier: Apache-2.0
#include "npsnetPythonImage.h"

#include "itkFundusPhotographAnalyzer.h"
#include "itkFundusResultWriter.h"
#include "itkNPSNet.h"
#include "itkPolarTestTimeAugmentationFilter.h"

namespace npsnet
{
namespace
{
using RGB8 = itk::Image<itk::RGBPixel<unsigned char>, 2>;

itk::NPSNet::Pointer LoadNetwork(const std::string & file,
                                 const std::string & device,
                                 const std::string & precision,
                                 unsigned int        threads)
{
  const py::gil_scoped_release release;
  itk::NPSNet::Settings        settings;
  settings.Device = device;
  settings.Precision = precision;
  settings.Threads = threads;
  return itk::NPSNet::Load(file, settings);
}

py::dict Infer(const itk::NPSNet & network, const Array<float> & images)
{
  if (images.ndim() != 4 || images.shape(1) != 3)
  {
    throw std::invalid_argument("the network takes float32 [image, 3, radius, angle] in [0, 1]");
  }
  itk::NPSNetOccupancies out;
  {
    const py::gil_scoped_release release;
    out = network.Infer(images.data(),
                        static_cast<std::size_t>(images.shape(0)),
                        static_cast<std::size_t>(images.shape(2)),
                        static_cast<std::size_t>(images.shape(3)));
  }
  const auto maps = [&out](const std::vector<float> & values) {
    return Array<float>({ out.NumberOfImages, out.NumberOfRadii, out.NumberOfAngles }, values.data());
  };
  py::dict dict;
  dict["disc"] = maps(out.Disc);
  dict["cup"] = maps(out.Cup);
  if (!out.DiscConfidence.empty())
  {
    dict["disc_confidence"] = Array<float>({ out.NumberOfImages, out.NumberOfAngles }, out.DiscConfidence.data());
    dict["cup_confidence"] = Array<float>({ out.NumberOfImages, out.NumberOfAngles }, out.CupConfidence.data());
  }
  return dict;
}

py::dict SegmentCrop(const itk::NPSNet & network,
                     const py::array &   crop,
                     const Geometry &    geometry,
                     const std::string & mode,
                     unsigned int        topK,
                     bool                flipAverage)
{
  auto                  filter = itk::PolarTestTimeAugmentationFilter::New();
  itk::PolarTTASettings settings;
  settings.Mode = itk::PolarTTAModeFromString(mode);
  settings.TopK = topK;
  settings.FlipAverage = flipAverage;
  filter->SetNetwork(&network);
  filter->SetInput(ToImage<RGB8>(crop, geometry));
  filter->SetSettings(settings);
  {
    const py::gil_scoped_release release;
    filter->Update();
  }
  py::list hypotheses;
  for (const auto & entry : filter->GetReport().Entries)
  {
    py::dict item;
    item["dx"] = entry.Hypothesis.Dx;
    item["dy"] = entry.Hypothesis.Dy;
    item["scale"] = entry.Hypothesis.Scale;
    item["score"] = entry.Score;
    item["weight"] = entry.Weight;
    item["full_pass"] = entry.FullPass;
    hypotheses.append(item);
  }
  // Hold it first: once disconnected the filter no longer does.
  const itk::NestedPolarBoundary::Pointer boundary = filter->GetBoundary();
  boundary->DisconnectPipeline();
  py::dict dict;
  dict["boundary"] = boundary;
  dict["disc"] = ToArray(filter->GetDiscOccupancy());
  dict["cup"] = ToArray(filter->GetCupOccupancy());
  dict["hypotheses"] = hypotheses;
  dict["winner"] = filter->GetReport().Winner;
  return dict;
}

itk::FundusPhotographAnalyzer::Pointer MakeAnalyzer(const py::kwargs & options)
{
  itk::FundusAnalyzerSettings settings;
  for (const auto & option : options)
  {
    const auto name = option.first.cast<std::string>();
    if (name == "locate")
    {
      settings.Locate = option.second.cast<bool>();
    }
    else if (name == "recenter")
    {
      settings.Recenter = option.second.cast<bool>();
    }
    else if (name == "threads")
    {
      settings.Threads = option.second.cast<unsigned int>();
    }
    else if (name == "model" || name == "locator" || name == "tta" || name == "device" || name == "precision")
    {
      settings.Set(name, option.second.cast<std::string>());
    }
    else
    {
      throw py::type_error("unknown option \"" + name + "\"");
    }
  }
  auto analyzer = itk::FundusPhotographAnalyzer::New();
  analyzer->SetSettings(settings);
  return analyzer;
}

py::dict Analyze(const itk::FundusPhotographAnalyzer &        analyzer,
                 const std::optional<std::string> &           fileName,
                 const std::optional<py::array> &             pixels,
                 const Geometry &                             geometry,
                 const std::string &                          eye,
                 const std::optional<std::array<double, 2>> & center,
                 const std::optional<double> &                side,
                 double                                       micrometersPerPixel)
{
  if (!std::isfinite(micrometersPerPixel) || micrometersPerPixel < 0.0)
  {
    throw py::value_error("micrometers_per_pixel must be a positive number, or 0 when unknown");
  }
  const PhotoSpace             space(geometry);
  itk::FundusPhotographOptions options;
  options.Eye = eye;
  options.MicrometersPerPixel = micrometersPerPixel;
  if (side)
  {
    options.Side = *side / space.GetPixel();
  }
  itk::FundusResult result;
  if (fileName)
  {
    const auto place = [&center](const itk::FundusPhotograph & photograph, itk::FundusPhotographOptions & about) {
      if (center)
      {
        about.Center = photograph.PointToIndex(center->data());
      }
    };
    const py::gil_scoped_release release;
    result = analyzer.Analyze(*fileName, options, nullptr, place);
  }
  else
  {
    if (center)
    {
      options.Center = space.ToIndex(center->data());
    }
    auto photograph = itk::FundusPhotograph::New();
    photograph->SetImage(ToImage<RGB8>(*pixels, space.GetPhotoGeometry()));
    const py::gil_scoped_release release;
    result = analyzer.Analyze(photograph, options);
  }
  py::dict dict;
  dict["status"] = itk::FundusStatusToString(result.Status);
  dict["message"] = result.Message;
  dict["metrics"] = result.ToJSON();
  dict["labels"] = result.Labels ? py::object(py::make_tuple(ToArray(result.Labels.GetPointer()),
                                                             fileName ? GetGeometry(result.Labels) : geometry))
                                 : py::none();
  dict["boundary"] = result.Boundary ? py::cast(space.FromPhoto(*result.Boundary)) : py::none();
  return dict;
}
} // namespace
} // namespace npsnet

PYBIND11_MODULE(_network, m)
{
  using namespace npsnet;
  TranslateExceptions();
  py::module_::import("npsnet._stages"); // Geometry and Boundary
  py::class_<itk::NPSNet, itk::NPSNet::Pointer>(m, "Network")
    .def(py::init(&LoadNetwork), py::arg("file"), py::arg("device"), py::arg("precision"), py::arg("threads"))
    .def_property_readonly("metadata", [](const itk::NPSNet & n) { return n.GetMetadata().ToJSON(); })
    .def_property_readonly("sha256", &itk::NPSNet::GetSHA256)
    .def_property_readonly("device", &itk::NPSNet::GetDevice)
    .def_property_readonly("precision", &itk::NPSNet::GetPrecision)
    .def("infer", &Infer)
    .def("segment_crop", &SegmentCrop);
  py::class_<itk::FundusPhotographAnalyzer, itk::FundusPhotographAnalyzer::Pointer>(m, "Analyzer")
    .def(py::init(&MakeAnalyzer))
    .def("analyze", &Analyze);
}
