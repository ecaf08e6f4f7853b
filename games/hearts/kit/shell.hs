-- shell.hs - an empty contestant for Hearts, for you to fill in.
--
-- Team:
-- Strategy in one line:
--
-- Read Mactech98.hs first: it says what the six routines get and return. This shell passes its first three cards and plays the
-- first card that is allowed, so it follows the rules from the start. Change one thing at a time, and play a few games after
-- every change.
--
-- Your program stays alive for a whole match of many games, so your state lasts from one call to the next. Every millisecond of
-- processor time in your routines costs a point.
module Main (main) where

import Mactech98
import System.IO (hPutStrLn, stderr)

data State = State
  { me :: Int             -- ^ our seat
  , pointsPlayed :: Bool  -- ^ a heart or the queen of spades was played on an earlier trick of this hand
  }

-- | Called once, before anything else. A game is over after the hand in which somebody has so many points.
startTournament :: Int -> Int -> State -> IO State
startTournament _numPlayers _gameEndingScore = return

-- | Called before each game. The same number is the same player throughout the tournament. Player i + 1 (modulo 4) sits to the
-- left of player i.
startGame :: [Int] -> Int -> State -> IO State
startGame _playerIDs yourSeat state = return state {me = yourSeat}

-- | Called at the beginning of every hand. Return three different indices of the hand (0 ... 12). With NoPass nothing is passed,
-- and what you return is ignored.
choosePass :: [Card] -> Pass -> State -> IO ([Int], State)
choosePass _dealtHand _direction state = return ([0, 1, 2], state {pointsPlayed = False})

-- | Called 13 times a hand. Return the index of the card that you play. Your hand has noCard where cards were played, and the
-- cards that were passed to you in the places of those that you passed. cardsPlayed is indexed by seat, with noCard where nobody
-- has played yet: cardsPlayed !! leader was led, unless you lead.
chooseCard :: Int -> Int -> [Card] -> [Card] -> State -> IO (Int, State)
chooseCard trick leader yourHand cardsPlayed state =
  return (head (legalIndices yourHand trick (cardsPlayed !! leader) (pointsPlayed state)), state)

-- | Called after each trick: what everybody played, by seat, and who took it.
hearTrick :: [Card] -> Int -> State -> IO State
hearTrick cards _winner state = return state {pointsPlayed = pointsPlayed state || any isPoint cards}

-- | Called after each hand. A player who has shot the moon gets -26 points.
hearHand :: [Int] -> [Int] -> State -> IO State
hearHand points totals state = do
  hPutStrLn stderr ("my points: " ++ show (points !! me state) ++ ", now " ++ show (totals !! me state) ++ " in all")
  return state

-- Do not change this.
main :: IO ()
main = run (Player startTournament startGame choosePass chooseCard hearTrick hearHand) (State 0 False)
