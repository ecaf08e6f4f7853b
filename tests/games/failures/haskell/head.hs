main :: IO ()
main = do
  let hand = [] :: [String]
  putStrLn (head hand)
