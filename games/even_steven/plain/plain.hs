-- Speaks the protocol of Even Steven without a kit: plays the first card of its hand that covers, or else the first.
module Main (main) where

import Data.Char (isDigit)
import Data.List (delete, elemIndex)
import System.IO (hFlush, isEOF, stdout)

valueOf :: String -> Maybe Int
valueOf card = elemIndex (init card) (words "2 3 4 5 6 7 8 9 10 J Q K A")

play :: [String] -> IO ()
play hand = do
  ended <- isEOF
  if ended then return () else getLine >>= hear . words
  where
    hear ("YOU" : _) = play hand
    hear (word : more) | all isDigit word = play more
    hear (word : _) = do
      let card = head (filter ((>= valueOf word) . valueOf) hand ++ hand)
      putStrLn card
      hFlush stdout
      play (delete card hand)
    hear [] = play hand

main :: IO ()
main = play []
