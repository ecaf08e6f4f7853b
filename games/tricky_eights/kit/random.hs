-- random.hs - a contestant that follows the rules and otherwise takes and plays at random. It loses to any reasonable player:
-- make it a little better, again and again.
module Main (main) where

import Acm98

anyOf :: [Card] -> IO Card
anyOf list = (list !!) <$> randomInt (length list)

main :: IO ()
main =
  run
    Contestant
      { startGame = return ()
      , startRound = \_game -> return ()
      , takeCard = anyOf . pool
      , endTakes = \_game -> return ()
      , playCard = anyOf . legalCards
      , endRound = \_game -> return ()
      }
