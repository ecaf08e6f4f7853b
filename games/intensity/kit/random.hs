-- random.hs - an Intensity player that follows the rules and otherwise plays at random. It loses to any reasonable player:
-- make it a little better, again and again.
module Main (main) where

import Data.List (delete)
import IntensityKit

chooseDiscards :: [Card] -> IO [Card]
chooseDiscards = go (3 :: Int)
  where
    go 0 _ = return []
    go count left = do
      card <- pick left
      others <- go (count - 1) (delete card left)
      return (card : others)

chooseCard :: Question -> IO Card
chooseCard = pick . legal

pick :: [Card] -> IO Card
pick cards = (cards !!) <$> randomInt (length cards)

-- Do not change this.
main :: IO ()
main = run "Random in Haskell" chooseDiscards chooseCard (putStrLn "no tests")
