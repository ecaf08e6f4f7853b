line = input()
number, rest = line.split()
print(int(number))
