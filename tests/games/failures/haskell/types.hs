main :: IO ()
main = putStrLn (length ["c2"])
