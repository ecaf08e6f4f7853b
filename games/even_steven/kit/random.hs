-- random.hs - plays any card of its hand, whether it covers or not. It loses most games that could be won, so improve it.
module Main (main) where

import Steven

main :: IO ()
main = playGames $ \game open -> do
  place <- randomInt (length (hand game))
  let card = hand game !! place
  debug (show open ++ " is dealt, I play " ++ show card)
  return card
