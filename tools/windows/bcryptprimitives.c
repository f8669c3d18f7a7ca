/* The one function of Windows' bcryptprimitives.dll that Rust calls; Wine has had it since 9.0. */
#include <windows.h>

BOOLEAN WINAPI SystemFunction036(PVOID buffer, ULONG size); /* RtlGenRandom */

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T size)
{
    return SystemFunction036(buffer, (ULONG)size);
}
