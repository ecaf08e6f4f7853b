play :: String -> String
play card = error ("cannot play " ++ card)

main :: IO ()
main = putStrLn (play "c2")
