data Suit = Clubs | Hearts

name :: Suit -> String
name Clubs = "c"

main :: IO ()
main = putStrLn (name Hearts)
