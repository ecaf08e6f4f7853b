program mybot;
{$mode objfpc}{$H+}

type Cards = record
    card: array[1..32] of string[2];
    count: integer;
end;

var
    hand, pool, words: Cards;
    line, kind, card: string;
    i, chosen: integer;

procedure split(const text: string; var first: string);
var
    place: integer;
    word, rest: string;
begin
    words.count := 0;
    first := '';
    rest := text + ' ';
    while rest <> '' do begin
        place := pos(' ', rest);
        word := copy(rest, 1, place - 1);
        delete(rest, 1, place);
        if word = '' then continue;
        if first = '' then first := word
        else if words.count < 32 then begin
            inc(words.count);
            words.card[words.count] := word
        end
    end
end;

procedure drop(var list: Cards; const card: string);
var
    i, j: integer;
begin
    for i := 1 to list.count do
        if list.card[i] = card then begin
            for j := i to list.count - 1 do list.card[j] := list.card[j + 1];
            dec(list.count);
            exit
        end
end;

procedure say(const text: string);
begin
    writeln(text);
    flush(output)
end;

begin
    while not eof do begin
        readln(line);
        split(line, kind);
        if kind = 'starthand' then begin
            hand.count := 0;
            pool.count := 0;
            for i := 2 to words.count do
                if i <= 11 then begin
                    inc(hand.count);
                    hand.card[hand.count] := words.card[i]
                end else begin
                    inc(pool.count);
                    pool.card[pool.count] := words.card[i]
                end
        end else if (kind = 'take') or (kind = 'aftertake') then begin
            for i := 1 to words.count do
                if not odd(i) then drop(pool, words.card[i]);
            if kind = 'take' then begin
                card := pool.card[1];
                drop(pool, card);
                inc(hand.count);
                hand.card[hand.count] := card;
                say(card)
            end
        end else if kind = 'play' then begin
            chosen := 1;
            if words.count > 1 then
                for i := 1 to hand.count do
                    if hand.card[i][1] = words.card[2][1] then chosen := i;
            card := hand.card[chosen];
            drop(hand, card);
            say(card)
        end else if (kind <> 'result') and (kind <> 'endround') then
            say('got ' + line)
    end
end.
