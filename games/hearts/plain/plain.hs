-- Speaks the protocol of Hearts without a kit: passes the first three cards, and plays the first that may be played.
module Main (main) where

import System.IO (hFlush, isEOF, stdout)

main :: IO ()
main = go 0 []

go :: Int -> [String] -> IO ()
go seat hand = do
  ended <- isEOF
  if ended then return () else getLine >>= hear . words
  where
    hear ["hello"] = say "ready" >> go seat hand
    hear ("game" : numbers) = go (read (numbers !! 4)) hand
    hear ("hand" : _ : cards) = go seat cards
    hear ["pass"] = say "0 1 2" >> go seat hand
    hear ("received" : pairs) = go seat (receive pairs hand)
    hear ("play" : trick : _ : table) = say (show (choose trick table)) >> go seat hand
    hear ("trick" : cards) = go seat [if card == cards !! seat then "" else card | card <- hand]
    hear ["end"] = say "done" >> go seat hand
    hear _ = go seat hand

    choose trick table =
      let held = [(place, card) | (place, card) <- zip [0 :: Int ..] hand, card /= ""]
       in fst (head (filter (may trick table . snd) held ++ held))

may :: String -> [String] -> String -> Bool
may _ (led : _) card = last card == last led
may "0" [] card = card == "2C"
may _ [] card = last card /= 'H'

receive :: [String] -> [String] -> [String]
receive (place : card : more) hand = let (before, after) = splitAt (read place) hand in receive more (before ++ card : tail after)
receive _ hand = hand

say :: String -> IO ()
say text = putStrLn text >> hFlush stdout
