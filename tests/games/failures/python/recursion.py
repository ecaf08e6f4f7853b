def search(depth):
    return 1 + search(depth + 1)


print(search(0))
