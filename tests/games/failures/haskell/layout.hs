main :: IO ()
main = do
  let hand = ["c2"]
   putStrLn (head hand)
