/* The client of barracuda.h. The server sends JSON in the 7-bit subset, which is all that the reader here knows. */
#define _POSIX_C_SOURCE 200809L
#include "barracuda.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WAIT = 5, LONGEST = 1 << 16 };

/* JSON: values are pointers into the text of a message, which ends with a NUL. NULL is no value. */

static const char *blanks(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

/* The place after a string. `text` points to its first quote. */
static const char *skip_string(const char *text)
{
    for (text++; *text && *text != '"'; text++)
        if (*text == '\\' && text[1])
            text++;
    return *text ? text + 1 : NULL;
}

/* The place after a value of any kind. */
static const char *skip_value(const char *text)
{
    int depth = 0;

    text = blanks(text);
    do {
        if (*text == '"') {
            text = skip_string(text);
            if (!text)
                return NULL;
        } else if (*text == '{' || *text == '[') {
            depth++;
            text++;
        } else if (*text == '}' || *text == ']') {
            depth--;
            text++;
        } else if (*text == ',' || *text == ':') {
            text++;
        } else if (*text) {
            text += strcspn(text, ",:{}[]\" \t\r\n");
        } else {
            return NULL;
        }
        text = blanks(text);
    } while (depth > 0);
    return text;
}

/* The value of a key of an object. */
static const char *member(const char *object, const char *key)
{
    size_t length = strlen(key);
    const char *text;

    if (!object || *(object = blanks(object)) != '{')
        return NULL;
    text = blanks(object + 1);
    while (*text == '"') {
        const char *name = text + 1, *end = skip_string(text), *value;
        if (!end)
            return NULL;
        value = blanks(end);
        if (*value != ':')
            return NULL;
        value = blanks(value + 1);
        if ((size_t)(end - 1 - name) == length && memcmp(name, key, length) == 0)
            return value;
        text = skip_value(value);
        if (!text || *text != ',')
            return NULL;
        text = blanks(text + 1);
    }
    return NULL;
}

static int whole(const char *object, const char *key, int otherwise)
{
    const char *value = member(object, key);
    return value ? (int)strtol(value, NULL, 10) : otherwise;
}

static int truth(const char *object, const char *key)
{
    const char *value = member(object, key);
    return value && *value == 't';
}

static int is(const char *value, const char *word)
{
    size_t length = strlen(word);
    return value && *value == '"' && strncmp(value + 1, word, length) == 0 && value[1 + length] == '"';
}

/* A string without its quotes, cut to the size. Escapes stay as they are. */
static void copy(const char *value, char *to, size_t size)
{
    size_t length = value && *value == '"' ? strcspn(value + 1, "\"") : 0;
    if (length >= size)
        length = size - 1;
    if (length)
        memcpy(to, value + 1, length);
    to[length] = 0;
}

static struct State read_state(const char *message)
{
    const char *object = member(message, "state"), *hand = member(object, "hand"), *left = member(message, "remaining");
    struct State state = {
        .card = whole(object, "card", 0),
        .handId = whole(object, "hand_id", 0),
        .gameId = whole(object, "game_id", 0),
        .yourTricks = whole(object, "your_tricks", 0),
        .theirTricks = whole(object, "their_tricks", 0),
        .canChallenge = truth(object, "can_challenge"),
        .inChallenge = truth(object, "in_challenge"),
        .totalTricks = whole(object, "total_tricks", 0),
        .yourPoints = whole(object, "your_points", 0),
        .theirPoints = whole(object, "their_points", 0),
        .opponentId = whole(object, "opponent_id", 0),
        .playerNumber = whole(object, "player_number", 0),
        .remaining = left ? strtod(left, NULL) : 0,
    };
    for (const char *text = hand; text && *text != ']' && state.handCount < 5;) {
        char *end;
        state.hand[state.handCount] = (int)strtol(blanks(text + 1), &end, 10);
        if (end == blanks(text + 1))
            break;
        state.handCount++;
        text = blanks(end);
    }
    return state;
}

/* The connection */

static char received[2 * (4 + LONGEST)]; /* received but not yet looked at */
static size_t start, end;

/* The next message, ending with a NUL, until this is called again; NULL when the connection is lost. */
static char *next_message(int server)
{
    static char message[LONGEST + 1];
    uint32_t length;

    for (;;) {
        if (end - start >= 4) {
            memcpy(&length, received + start, 4);
            length = ntohl(length);
            if (length > LONGEST)
                return NULL;
            if (end - start >= 4 + length) {
                memcpy(message, received + start + 4, length);
                message[length] = 0;
                start += 4 + length;
                return message;
            }
        }
        if (start) {
            memmove(received, received + start, end - start);
            end -= start;
            start = 0;
        }
        ssize_t got = recv(server, received + end, sizeof received - end, 0);
        if (got <= 0)
            return NULL;
        end += (size_t)got;
    }
}

static int deliver(int server, const char *body)
{
    char data[4 + 512];
    size_t length = strlen(body);
    uint32_t header = htonl((uint32_t)length);

    if (length > sizeof data - 4)
        return 0;
    memcpy(data, &header, 4);
    memcpy(data + 4, body, length);
    for (size_t at = 0; at < 4 + length;) { /* in one piece, unless the server does not read */
        ssize_t sent = send(server, data + at, 4 + length - at, MSG_NOSIGNAL);
        if (sent <= 0)
            return 0;
        at += (size_t)sent;
    }
    return 1;
}

static int answer(int server, const char *message)
{
    struct State state = read_state(message);
    char response[64], move[200];

    if (is(member(message, "request"), "challenge_offered")) {
        snprintf(response, sizeof response, "\"%s\"", AnswerChallenge(&state) ? "accept_challenge" : "reject_challenge");
    } else {
        int card = ChooseCard(&state);
        if (card == OFFER_CHALLENGE)
            strcpy(response, "\"offer_challenge\"");
        else
            snprintf(response, sizeof response, "\"play_card\",\"card\":%d", card);
    }
    snprintf(move, sizeof move, "{\"type\":\"move\",\"request_id\":%d,\"response\":{\"type\":%s}}",
             whole(message, "request_id", 0), response);
    return deliver(server, move);
}

static int handle(int server, const char *message)
{
    const char *type = member(message, "type");

    if (is(type, "request"))
        return answer(server, message);
    if (is(type, "result")) {
        const char *object = member(message, "result");
        struct Result result = {
            .by = whole(object, "by", -1), .card = whole(object, "card", 0), .me = whole(message, "your_player_num", 0)};
        copy(member(object, "type"), result.type, sizeof result.type);
        HearResult(&result);
    } else if (is(type, "greetings_program")) {
        fprintf(stderr, "connected, we are team %d\n", whole(message, "team_id", 0));
    } else if (is(type, "error")) {
        char words[300], host[64];
        copy(member(message, "message"), words, sizeof words);
        copy(member(message, "seen_host"), host, sizeof host);
        fprintf(stderr, "the server refuses us: %s (it sees us at %s)\n", words, host);
        exit(1);
    }
    return 1;
}

static void talk(int server, const char *token)
{
    const char *message;

    start = end = 0;
    if (token) {
        char login[400];
        snprintf(login, sizeof login, "{\"type\":\"login\",\"token\":\"%s\"}", token);
        if (!deliver(server, login))
            return;
    }
    while ((message = next_message(server)) && handle(server, message))
        ;
}

int main(int argc, char **argv)
{
    struct sockaddr_in place = {.sin_family = AF_INET};

    if (argc < 3) {
        fprintf(stderr, "usage: %s HOST PORT [TOKEN]\n", argv[0]);
        return 1;
    }
    place.sin_port = htons((uint16_t)atoi(argv[2]));
    if (inet_pton(AF_INET, strcmp(argv[1], "localhost") ? argv[1] : "127.0.0.1", &place.sin_addr) != 1) {
        fprintf(stderr, "%s is not an address such as 127.0.0.1\n", argv[1]);
        return 1;
    }
    for (;;) {
        int server = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
        if (connect(server, (struct sockaddr *)&place, sizeof place) == 0) {
            setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
            talk(server, argc > 3 ? argv[3] : NULL);
        }
        close(server);
        /* the server refuses earlier attempts; at home, the end of a match ends us here */
        sleep(WAIT);
        fprintf(stderr, "no connection; trying again\n");
    }
}
