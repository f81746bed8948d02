// SPDX-License-Identifier: Apache-2.0
#ifndef NPSNetActiveRun_h
#define NPSNetActiveRun_h

#include "NPSNetMasks.h"
#include "NPSNetRun.h"
#include "NPSNetTables.h"

#include <vtkSlicerApplicationLogic.h>

#include <vtkMRMLVolumeNode.h>
#include <vtkWeakPointer.h>

#include <array>
#include <memory>

namespace npsnet
{
/// The views wait as long as it lives: to keep their frame rate they would draw in the midst of what is written.
class RenderPause
{
public:
  explicit RenderPause(vtkSlicerApplicationLogic* application)
      : Application(application)
  {
    if (this->Application)
    {
      this->Application->PauseRender();
    }
  }
  ~RenderPause()
  {
    if (this->Application)
    {
      this->Application->ResumeRender();
    }
  }
  RenderPause(const RenderPause&) = delete;
  RenderPause& operator=(const RenderPause&) = delete;

private:
  vtkWeakPointer<vtkSlicerApplicationLogic> Application;
};

/// A run, and how far its results have been put into the scene.
struct ActiveRun
{
  ActiveRun(vtkMRMLVolumeNode* photo, PhotoGeometry geometry)
      : Photo(photo)
      , Geometry(std::move(geometry))
  {
  }
  vtkWeakPointer<vtkMRMLVolumeNode> Photo;
  PhotoGeometry Geometry;
  Masks Prepared; // by the run's thread
  enum
  {
    Outputs,
    Segments,
    Tables,
    Chart,
    Curves,
    Views,
    News
  } Next{Outputs};
  std::unique_ptr<RenderPause> Pause;
  std::array<vtkMTimeType, 2> Found{}; // times of the segments when the run started
  std::array<vtkMTimeType, 2> Written{};
  bool Replaced{false}; // an edit that was made since
  npsnet::Report Report;
  std::unique_ptr<Run> Computation; // last: its thread writes Prepared
};
} // namespace npsnet

#endif
