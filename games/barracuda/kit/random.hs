-- | Plays anything that the rules allow. Replace the two choices by your own.
module Main (main) where

import Barracuda
import Data.IORef
import GHC.Clock (getMonotonicTimeNSec)

-- | A random number below a limit, by a generator of its own: GHC comes without one.
below :: IORef Integer -> Int -> IO Int
below seed limit = do
  modifyIORef' seed (\number -> (6364136223846793005 * number + 1442695040888963407) `mod` (2 ^ (64 :: Int)))
  number <- readIORef seed
  return (fromInteger (number `div` (2 ^ (33 :: Int)) `mod` toInteger limit))

main :: IO ()
main = do
  seed <- newIORef . toInteger =<< getMonotonicTimeNSec
  run
    Player
      { -- A card of the hand, or a challenge where one may be offered.
        chooseCard = \state -> do
          challenge <- below seed 20
          if canChallenge state && challenge == 0
            then return OfferChallenge
            else Card . (hand state !!) <$> below seed (length (hand state))
      , -- Whether to accept the challenge that the other player has offered.
        answerChallenge = \_ -> (== 0) <$> below seed 2
      , hearResult = \_ -> return ()
      }
