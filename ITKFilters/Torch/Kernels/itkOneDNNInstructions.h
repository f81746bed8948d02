// SPDX-License-Identifier: Apache-2.0
#ifndef itkOneDNNInstructions_h
#define itkOneDNNInstructions_h

#include "itkMacro.h"

namespace itk
{
/** Keeps oneDNN from matrix tiles (AMX) that a virtual machine announces without their palettes: its bf16
 * convolutions would end the process with an illegal instruction. oneDNN asks once, so call this before its first use.
 * What the user has set in ONEDNN_MAX_CPU_ISA stays. */
void AvoidUnusableMatrixTiles();
} // namespace itk

#endif
