/* Wine 8 lacks bcryptprimitives.dll, of which Rust's standard library needs this function. For tests under Wine; it is in no package. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{
    return SystemFunction036(data, (ULONG)length);
}
