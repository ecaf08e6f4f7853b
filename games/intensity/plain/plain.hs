-- Speaks the protocol of Intensity without a kit: discards the first three cards, and plays the first that may be played.
module Main (main) where

main :: IO ()
main = interact (answer . map read . words)

answer :: [Int] -> String
answer (0 : _) = "Plain Haskell\n"
answer (1 : hand) = unwords (map show (take 3 hand)) ++ "\n"
answer (2 : held : laid : _ : cards) = show (head (filter may hand ++ hand)) ++ "\n"
  where
    (hand, rest) = splitAt held cards
    (table, past) = splitAt laid rest
    calves = any ((== 3) . (`div` 10)) (take (4 * (10 - held)) past)
    may card = case table of
      first : _ -> card `div` 10 == first `div` 10
      [] -> calves || card `div` 10 /= 3
answer _ = ""
