main :: IO ()
main = putStrLn (head hnad)
  where hand = ["c2"]
