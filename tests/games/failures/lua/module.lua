local socket = require("socket")

print(socket.gettime())
