while True:
    line = input()
