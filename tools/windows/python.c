/* python.exe: the interpreter is in the DLL. */
#include <windows.h>

typedef int (*Main)(int, wchar_t **);

int wmain(int count, wchar_t **arguments)
{
    HMODULE interpreter = LoadLibraryW(PYTHON_DLL);
    Main run = interpreter ? (Main)(void *)GetProcAddress(interpreter, "Py_Main") : NULL;
    return run ? run(count, arguments) : 99;
}
