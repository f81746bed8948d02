# The modules of ITK that src/ stands on: for find_package(ITK) and for itk-module.cmake.
set(NPSNET_ITK_COMPONENTS
  ITKCommon ITKIOImageBase ITKIOPNG ITKPNG ITKZLIB ITKIOJPEG ITKJPEG ITKIOTIFF ITKIOBMP ITKIONRRD ITKIOMeta ITKIONIFTI ITKIOGDCM
  ITKDistanceMap ITKConnectedComponents ITKMathematicalMorphology ITKBinaryMathematicalMorphology
  ITKImageFunction ITKImageGrid ITKImageIntensity ITKThresholding ITKSmoothing ITKTransform)

# After find_package(ITK): flags and factories; NPSNET_ITK_LIBRARIES is what to link. ITK 6 has targets instead of UseITK.
macro(npsnet_use_itk)
  if(ITK_VERSION VERSION_LESS 6)
    include(${ITK_USE_FILE})
    set(NPSNET_ITK_LIBRARIES ${ITK_LIBRARIES})
  else()
    itk_generate_factory_registration()
    set(NPSNET_ITK_LIBRARIES ${ITK_INTERFACE_LIBRARIES})
  endif()
endmacro()
