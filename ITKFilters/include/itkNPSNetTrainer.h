// SPDX-License-Identifier: Apache-2.0
#ifndef itkNPSNetTrainer_h
#define itkNPSNetTrainer_h

#include "NPSNetTorchExport.h"
#include "detail/itkNameOfClass.h"
#include "itkObject.h"
#include "itkObjectFactory.h"

#include <functional>
#include <string>

namespace itk
{
/** \class NPSNetTrainer
 * \brief Trains a segmentation network or the optic nerve head locator from a JSON configuration.
 *
 * Configuration (a key left out keeps its default; an unknown one, or a number out of its range, is an error):
 * \code
 * { "task": "segmentation",            // or "locator"
 *   "model": { "name", "version", "description", "licence", "authors",
 *              "storage": "fp16" },     // of the weights in the files: fp32, fp16, int8 or int6
 *   "data": { "index": "index.csv",    // relative to the configuration; SetDataIndex() wins
 *             "sets": { "origa": 1 },  // how often a photograph of the set comes in an epoch
 *             "train_split": "train", "val_split": "val",
 *             "limit": 0,              // of training samples, for tests; 0: none
 *             "balance_cup_ratio": 0 }, // up to 1: photographs with a rare vertical cup-to-disc ratio come more often
 *   "architecture": { "variant": "b4", "channels": [16, 32, 64, 128], "shape_features": 64,
 *                     "radii": 128, "angles": 192, "crop_size": 256,
 *                     "context_features": 0, "head_context_features": 0,
 *                     "context_harmonics": 2 },       // angular contexts, itkAngularContext.h
 *   "epochs", "batch", "learning_rate", "weight_decay", "gradient_clip", "average_decay", "seed",
 *   "threads", "workers", "validate_every", "device": "auto", "channels_last",
 *   // Weights to start from, relative to the configuration; of a list, their mean. May lack the angular context.
 *   "initial_model": "model.safetensors",
 *   "time_limit_minutes",              // the rest of the schedule is run through in this time: not repeatable
 *   "losses": { "cart", "polar", "rim", "dist", "shape", "smooth", "cons", "shape_start", "cons_start" },
 *   "crop": { "side_low", "side_high", "centre", "rotation", "aspect", "exact_probability",
 *             "flip_probability", "mirror_probability", "cupping_probability", "cupping", "cut_probability",
 *             "cut_low", "cut_high" },
 *   "soft_edges": true,                // masks keep the share of each pixel that they cover
 *   "locator": { "empty_probability", "unrelated_probability", "spot_probability", "turn_probability",
 *                "smallest_disc", "largest_disc", "confidence_threshold" },
 *   "augmentation": { "strength",        // multiplies all amounts
 *                     "least_strength",  // where below it, every crop draws its own between the two
 *                     "gain_probability", "gain", "gamma_probability", "gamma", "contrast_probability", "contrast",
 *                     "brightness", "mixing_probability", "mixing", "saturation", "grey_probability",
 *                     "gradient_probability", "gradient", "vignetting_probability", "vignetting",
 *                     "haze_probability", "haze", "blur_probability", "blur", "resample_probability", "resample",
 *                     "sharpen_probability", "sharpen", "noise_probability", "noise", "compression_probability",
 *                     "compression", "field_edge_probability" } }
 * \endcode
 *
 * The data index has the columns set, split, crop and mask (for the locator: frame, frame_mask), paths relative to it.
 * The output folder gets checkpoint.pt, best.safetensors, last.safetensors, log.csv, curves.svg and config.json.
 * With the same number of threads, a resumed training gives the same numbers as one in a single run. It must have the
 * same training photographs and configuration, but for threads, workers, device, time limit and the index's place.
 *
 * \ingroup NPSNet
 */
class NPSNetTorch_EXPORT NPSNetTrainer : public Object
{
public:
  ITK_DISALLOW_COPY_AND_MOVE(NPSNetTrainer);

  using Self = NPSNetTrainer;
  using Superclass = Object;
  using Pointer = SmartPointer<Self>;
  using ConstPointer = SmartPointer<const Self>;

  itkNewMacro(Self);
  itkOverrideGetNameOfClassMacro(NPSNetTrainer);

  itkSetStringMacro(ConfigurationFile);
  itkGetStringMacro(ConfigurationFile);

  /** CSV file; empty: the one the configuration names. */
  itkSetStringMacro(DataIndex);
  itkGetStringMacro(DataIndex);

  itkSetStringMacro(OutputDirectory);
  itkGetStringMacro(OutputDirectory);

  /** Continue from the checkpoint in the output folder, or begin where there is none. Default off: a folder that has a
   * checkpoint is refused. */
  itkSetMacro(Resume, bool);
  itkGetConstMacro(Resume, bool);
  itkBooleanMacro(Resume);

  /** One line of text each time. */
  void SetLog(std::function<void(const std::string &)> log) { m_Log = std::move(log); }
  /** The finished part in [0, 1]. */
  void SetProgress(std::function<void(double)> progress) { m_Progress = std::move(progress); }
  /** Asked between two steps; true ends the training (it can be resumed from the last finished epoch). */
  void SetShouldStop(std::function<bool()> shouldStop) { m_ShouldStop = std::move(shouldStop); }

  /** Throws itk::ExceptionObject with one clear sentence, OutputError when the folder cannot be written. */
  void Train();

  /** The history of the last Train() as a JSON array, one object an epoch. */
  itkGetStringMacro(History);

protected:
  NPSNetTrainer() = default;
  ~NPSNetTrainer() override = default;
  void PrintSelf(std::ostream & os, Indent indent) const override;

private:
  std::string                              m_ConfigurationFile;
  std::string                              m_DataIndex;
  std::string                              m_OutputDirectory;
  std::string                              m_History;
  bool                                     m_Resume{ false };
  std::function<void(const std::string &)> m_Log;
  std::function<void(double)>              m_Progress;
  std::function<bool()>                    m_ShouldStop;
};
} // namespace itk

#endif
