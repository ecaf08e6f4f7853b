-- probe.hs - plays the commented game of 1998 as south did, and prints the game and the helpers' results.
module Main (main) where

import Acm98
import Data.IORef
import Data.Maybe (fromJust)
import System.CPUTime (getCPUTime)
import System.Environment (lookupEnv)

burn :: IO ()
burn = do
  asked <- lookupEnv "BURN"
  started <- getCPUTime
  let loop = getCPUTime >>= \now -> if now - started < 51000000000 then loop else return ()
  maybe (return ()) (const loop) asked

next :: IORef [String] -> IO Card
next list = do
  name : rest <- readIORef list
  writeIORef list rest
  return (fromJust (cardFromName name))

bit :: Bool -> String
bit = show . fromEnum

main :: IO ()
main = do
  taking <- newIORef (words "h5 ck ha")
  playing <- newIORef (words "dk h9 ca h2 s8 sq h4 hj c7 st h5 ck ha")
  run
    Contestant
      { startGame = debug "game 0"
      , startRound = \game -> do
          burn
          debug (unwords ["round", show (roundNumber game), "dealer", playerName (dealer game), "me",
            playerName (me game), "hand", show (length (hand game)), "pool", show (length (pool game)), "clubs",
            show (countSuit game clubs)])
      , takeCard = const (next taking)
      , endTakes = \game -> do
          let hk = makeCard hearts king
          debug (unwords ["takes over hand", show (length (hand game)), "east", cardName (head (takes game !! east)),
            "where", show (fromEnum (place game !! hk)), "owner", maybe "nobody" playerName (owner game !! hk)])
      , playCard = \game -> do
          burn
          card <- next playing
          let now = trick game
          debug (unwords ["trick", show (trickNumber game), "leader", playerName (leader now), "lie", show (count now),
            "worth", show (worth now), "legal", show (length (legalCards game)), cardName card, "ok",
            bit (isLegal game card), "wins", bit (wouldWin game card), "higher", show (countHigher game card)])
          return card
      , endRound = \game -> do
          let final = past game !! 12
          debug (unwords ("end" : map show (points game) ++ "total" : map show (total game)))
          debug (unwords ["past", maybe "nobody" playerName (winner final), show (worth final), "out",
            concatMap bit (isOut game !! south), "left", show (cardsLeft game !! west), "seen",
            bit (isSeen game (fromJust (cardFromName "d2"))), "next", playerName (nextPlayer west), "worth",
            show (trickPoints 13 (map snd (cards (past game !! 4))))])
      }
