/*
 * mactech98.cpp - the C++ face of mactech98.c: the harness is written in the part that C and C++ have in common, so both languages
 * play with exactly the same code. Do not change it. Build: g++ ... yourplayer.cpp mactech98.cpp
 */
#include "mactech98.c"
