#ifndef FLOUNDER_H
#define FLOUNDER_H

int dial(const char *host, const char *port);
int hear(int line, char *message, unsigned size);
int say(int line, const char *message);

int number(const char *message, const char *key);
int card_to_play(const char *message);

#endif
