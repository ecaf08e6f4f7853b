main :: IO ()
main = do
  line <- return "ten"
  print (read line + 1 :: Int)
