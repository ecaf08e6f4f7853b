#include <conio.h>
#include <windows.h>

int main(void)
{
    return getch();
}
