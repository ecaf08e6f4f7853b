/*
 * acm98.cpp - the C++ face of acm98.c: the library is written in the part that C and C++ have in common, so both languages
 * play with exactly the same code. Do not change it. Build: g++ ... yourplayer.cpp acm98.cpp
 */
#include "acm98.c"
