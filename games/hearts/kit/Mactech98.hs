-- Mactech98.hs - talks to the referee of Hearts, so you do not have to. Do not change it: the contest builds your player with its
-- own copy.
--
-- You write the six routines of the Programmer's Challenge of 1998 (shell.hs describes them), as the fields of a Player:
--
--     initTournament   initGame   selectPass   playTrick   trickResults   handResults
--
-- They keep what they know in a state of a type of yours. main hands the player and its first state to run. Lists of four are
-- indexed by seat. A hand is a list of 13 cards; where a card was played there is noCard.
--
-- Print nothing to standard output: it belongs to the referee. Debug with hPutStrLn stderr; only your team can read that
-- afterwards. Each millisecond of processor time that your routines use costs a point. What they return is computed before the
-- clock stops; a state only as far as its outermost constructor, so what you leave for later is charged to the call that needs it.
module Mactech98
  (Suit (..), Pass (..), Card (..), Player (..), noCard, jack, queen, king, ace, isPoint, legalIndices, randomInt, run) where

import Control.Exception (evaluate)
import Control.Monad (unless)
import Data.Bits (shiftR, xor)
import Data.IORef (IORef, atomicModifyIORef', newIORef)
import Data.List (elemIndex)
import Data.Maybe (fromMaybe)
import Data.Word (Word64)
import GHC.Clock (getMonotonicTimeNSec)
import System.CPUTime (getCPUTime)
import System.Environment (lookupEnv)
import System.IO (hFlush, isEOF, stdout)
import System.IO.Unsafe (unsafePerformIO)

data Suit = NoSuit | Spade | Heart | Diamond | Club deriving (Eq, Show, Enum)

data Pass = PassLeft | PassRight | PassAcross | NoPass deriving (Eq, Show, Enum)

-- | A card. Spots are 1 (the two) ... 13 (the ace), as in 1998.
data Card = Card {suit :: !Suit, spot :: !Int} deriving (Eq)

instance Show Card where
  show card = if card == noCard then "--" else faces !! (spot card - 1) ++ [" SHDC" !! fromEnum (suit card)]

noCard :: Card
noCard = Card NoSuit 0

jack, queen, king, ace :: Int
jack = 10
queen = 11
king = 12
ace = 13

faces :: [String]
faces = words "2 3 4 5 6 7 8 9 10 J Q K A"

-- | What you write. Each routine gets your state and returns it with whatever changed.
data Player s = Player
  { initTournament :: Int -> Int -> s -> IO s                      -- ^ number of players, points that end a game
  , initGame :: [Int] -> Int -> s -> IO s                          -- ^ the players by seat, your seat
  , selectPass :: [Card] -> Pass -> s -> IO ([Int], s)             -- ^ returns three different indices of the hand
  , playTrick :: Int -> Int -> [Card] -> [Card] -> s -> IO (Int, s) -- ^ trick, leader, hand, cards played: returns an index
  , trickResults :: [Card] -> Int -> s -> IO s                     -- ^ the cards, the winner
  , handResults :: [Int] -> [Int] -> s -> IO s                     -- ^ the points of this hand, and of the game
  }

-- | Whether a card costs points: a heart, or the queen of spades.
isPoint :: Card -> Bool
isPoint card = suit card == Heart || card == Card Spade queen

-- | The indices of the cards that may be played now: the hand, the number of the trick, the card that was led (noCard when you
-- lead), and whether a point card was played on an earlier trick of this hand.
legalIndices :: [Card] -> Int -> Card -> Bool -> [Int]
legalIndices hand trick led pointsPlayed = [index | (index, card) <- zip [0 ..] hand, card /= noCard, legal card]
  where
    held = filter (/= noCard) hand
    legal card
      | led /= noCard = suit card == suit led || all ((/= suit led) . suit) held
      | trick == 0 = card == Card Club 1
      | otherwise = suit card /= Heart || pointsPlayed || all isPoint held

data Table = Table {dealt :: [Card], holding :: [Card], direction :: Pass, seat :: Int, used :: !Integer}

-- | Play until there is nothing more to read.
run :: Player s -> s -> IO ()
run player = go (Table [] [] NoPass 0 0)
  where
    go table state = do
      ended <- isEOF
      unless ended $ do
        line <- getLine
        (after, next) <- hear player table state (words line)
        go after next

hear :: Player s -> Table -> s -> [String] -> IO (Table, s)
hear _ table state ["hello"] = answer "ready" table state
hear player table state ["tournament", players, target] =
  told table (initTournament player (read players) (read target) state)
hear player table state ("game" : numbers) =
  let (ids, own) = splitAt 4 (map read numbers) in told table {seat = head own} (initGame player ids (head own) state)
hear player table state ("hand" : way : names) = do
  let cards = map named names
      new = table {dealt = cards, holding = cards, direction = passing way}
  if direction new == NoPass then dropAnswer <$> passed player new state else return (new, state)
  where
    dropAnswer (_, after, next) = (after, next)
hear player table state ["pass"] = do
  (chosen, after, next) <- passed player table state
  answer (unwords (map show chosen)) after next
hear _ table state ("received" : pairs) = return (table {holding = receive pairs (holding table)}, state)
hear player table state ("play" : trick : leader : names) = do
  let first = read leader
      played = [fromMaybe noCard (lookup place (zip (map (`mod` 4) [first ..]) (map named names))) | place <- [0 .. 3]]
  ((index, next), after) <- timed table $ do
    (index, next) <- playTrick player (read trick) first (holding table) played state
    _ <- evaluate index
    return (index, next)
  answer (show index) after next
hear player table state ("trick" : words') = do
  let cards = map named (take 4 words')
      gone card = if card == cards !! seat table then noCard else card
  told table {holding = map gone (holding table)} (trickResults player cards (read (words' !! 4)) state)
hear player table state ("score" : numbers) =
  let (points, totals) = splitAt 4 (map read numbers) in told table (handResults player points totals state)
hear _ table state ["end"] = answer "done" table state
hear _ table state _ = return (table, state)

passing :: String -> Pass
passing way = fromMaybe NoPass (lookup way [("left", PassLeft), ("right", PassRight), ("across", PassAcross)])

receive :: [String] -> [Card] -> [Card]
receive (place : name : more) cards =
  let (before, after) = splitAt (read place) cards in receive more (before ++ named name : drop 1 after)
receive _ cards = cards

named :: String -> Card
named word = Card (maybe NoSuit toEnum (elemIndex (last word) " SHDC")) (maybe 0 succ (elemIndex (init word) faces))

told :: Table -> IO s -> IO (Table, s)
told table routine = do
  (state, after) <- timed table routine
  return (after, state)

passed :: Player s -> Table -> s -> IO ([Int], Table, s)
passed player table state = do
  ((chosen, next), after) <- timed table $ do
    (chosen, next) <- selectPass player (dealt table) (direction table) state
    _ <- evaluate (sum chosen)
    return (chosen, next)
  return (chosen, after, next)

timed :: Table -> IO a -> IO (a, Table)
timed table routine = do
  started <- getCPUTime
  result <- routine >>= evaluate
  ended <- getCPUTime
  return (result, table {used = used table + (ended - started) `div` 1000})

answer :: String -> Table -> s -> IO (Table, s)
answer text table state = do
  putStrLn (text ++ " cpu " ++ show (used table))
  hFlush stdout
  return (table {used = 0}, state)

-- | Any of 0 ... n - 1: different in every run, unless the environment variable MACTECH98_SEED holds a number.
randomInt :: Int -> IO Int
randomInt n = atomicModifyIORef' generator next
  where
    next state = let new = state + 0x9e3779b97f4a7c15 in (new, fromIntegral (mix new `mod` fromIntegral n))

-- The state of splitmix64 (public domain, by Sebastiano Vigna): small, fast and good enough for cards.
generator :: IORef Word64
generator = unsafePerformIO (lookupEnv "MACTECH98_SEED" >>= maybe getMonotonicTimeNSec (return . read) >>= newIORef)
{-# NOINLINE generator #-}

mix :: Word64 -> Word64
mix a = c `xor` (c `shiftR` 31)
  where
    b = (a `xor` (a `shiftR` 30)) * 0xbf58476d1ce4e5b9
    c = (b `xor` (b `shiftR` 27)) * 0x94d049bb133111eb
