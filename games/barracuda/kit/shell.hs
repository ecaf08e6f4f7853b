-- | An empty player: your strategy goes here. As it stands it plays its highest card and rejects every challenge.
module Main (main) where

import Barracuda

main :: IO ()
main =
  run
    Player
      { chooseCard = \state -> return (Card (head (hand state)))
      , answerChallenge = \_ -> return False
      , -- Such as Outcome {kind = "trick_won", by = Just 1, lastCard = Just 13, ...}; `by` is `me` when it was you.
        hearResult = \_ -> return ()
      }
