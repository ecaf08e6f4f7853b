-- shell.hs - an empty player of Even Steven, for you to fill in.
--
-- Team:
-- Strategy in one line:
--
-- Read Steven.hs: it describes Card and Game, and the helper routines. This shell plays the first card of its hand, whatever
-- was dealt. Write chooseCard, then try it:
--
--     printf '4 876390176\n4 653723903\n' | python3 kibitz.pyz dealer shell.hs
module Main (main) where

import Steven

-- | Return the card of your hand that you play on the open card. If none of them covers it, the game is lost; play one all
-- the same. Not all games can be won.
chooseCard :: Game -> Card -> Card
chooseCard game _open = head (hand game)

main :: IO ()
main = playGames $ \game open -> do
  let card = chooseCard game open
  debug ("game " ++ show (number game) ++ ": " ++ show open ++ " is dealt, I play " ++ show card)
  return card
