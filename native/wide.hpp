// Compiled twice where the loader can choose: with 256-bit registers if the machine has them. No instruction
// that rounds differently (fused multiply-add) is among them, so both give the same numbers.
#pragma once

#include <cstdlib>

#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__)
#define ADJUDGE_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define ADJUDGE_WIDE
#endif
