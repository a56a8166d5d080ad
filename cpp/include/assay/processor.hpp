// Capabilities of the processor, for code that is compiled for several instruction sets.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(ASSAY_PORTABLE)
#define ASSAY_HAS_AVX2_TARGET

namespace assay {

inline bool has_avx2() {
  static const bool supported = __builtin_cpu_supports("avx2") != 0;
  return supported;
}

// Tests define ASSAY_NO_AVX512 to run the code for processors without it.
inline bool has_avx512() {
#ifdef ASSAY_NO_AVX512
  return false;
#else
  static const bool supported = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0;
  return supported;
#endif
}

// AVX-512 with instructions for tables of bytes: on processors since 2019 (Intel) or 2022 (AMD).
inline bool has_avx512_bytes() {
#ifdef ASSAY_NO_AVX512
  return false;
#else
  static const bool supported = __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vbmi") != 0 &&
                                __builtin_cpu_supports("avx512vbmi2") != 0;
  return supported;
#endif
}

inline bool has_popcount() {
  static const bool supported = __builtin_cpu_supports("popcnt") != 0;
  return supported;
}

// AVX-512 that counts bits: on processors since 2019 (Intel) or 2022 (AMD).
inline bool has_avx512_popcount() {
#ifdef ASSAY_NO_AVX512
  return false;
#else
  static const bool supported = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vpopcntdq") != 0;
  return supported;
#endif
}

}  // namespace assay
#endif
