#ifndef npsnetInterrupt_h
#define npsnetInterrupt_h

namespace npsnet
{
/// From now on the first Ctrl-C or SIGTERM only raises a flag; a second one ends the program at once.
void CatchInterrupts();
bool IsInterrupted();
} // namespace npsnet

#endif
