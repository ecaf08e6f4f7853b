-- IntensityKit.hs - what your Intensity player may use, and the part that reads the question. Do not change it: the contest
-- puts its own copy beside your file.
--
-- You write four functions (shell.hs describes them):
--
--     playerName   chooseDiscards   chooseCard   runUnitTests
--
-- main hands them to run, which reads the question, calls the one that is wanted, and prints what it returns. Your program is
-- started again for every question: nothing is left of the question before.
--
-- Print nothing to standard output: it belongs to the answer. Debug with hPutStrLn stderr; only your team can read that
-- afterwards.
module IntensityKit
  (Card, Play, Question (..), buffalo, isCalf, penalty, winner, calfPlayed, legal, rounds, onTheTable, randomInt, run) where

import Data.Bits (shiftR, xor)
import Data.IORef (IORef, atomicModifyIORef', newIORef)
import Data.Word (Word64)
import GHC.Clock (getMonotonicTimeNSec)
import System.Environment (lookupEnv)
import System.IO.Unsafe (unsafePerformIO)

-- | A number, 10 ... 49.
type Card = Int

-- | A position and the card that it played.
type Play = (Int, Card)

buffalo :: Card
buffalo = 47

isCalf :: Card -> Bool
isCalf card = card >= 30 && card <= 39

-- | What a card costs the player who wins its round.
penalty :: Card -> Int
penalty card
  | card == buffalo = 7
  | isCalf card = 1
  | otherwise = 0

-- | Everything you know when a card is due. Lists are in the order of play, hands and discards in increasing order.
data Question = Question
  { position :: Int       -- ^ your place at the table, 0 ... 3
  , hand :: [Card]
  , table :: [Card]       -- ^ the cards of this round so far; empty: you lead
  , played :: [Card]      -- ^ the cards of all rounds before
  , discarded :: [Card]   -- ^ what you gave to the player on your left, (position + 1) `mod` 4
  , received :: [Card]    -- ^ what you got from the player on your right
  }
  deriving (Show)

-- | Whether a calf was played in an earlier round, so that calves may be led.
calfPlayed :: Question -> Bool
calfPlayed = any isCalf . played

-- | The cards that you may play, in increasing order.
legal :: Question -> [Card]
legal question = if null found then hand question else found
  where
    found = filter allowed (hand question)
    allowed card = case table question of
      first : _ -> card `div` 10 == first `div` 10
      [] -> calfPlayed question || not (isCalf card)

-- | Who wins a round, given in the order of play.
winner :: [Play] -> Int
winner [] = error "nobody wins a round without cards"
winner (first : others) = fst (foldl better first others)
  where
    better best play
      | snd play `div` 10 == snd best `div` 10 && snd play > snd best = play
      | otherwise = best

-- | The rounds before this one, in the order of play.
rounds :: Question -> [[Play]]
rounds = go 0 . played
  where
    go _ [] = []
    go leader cards =
      let (now, later) = splitAt 4 cards
          plays = inTurn leader now
       in plays : go (winner plays) later

-- | The cards of this round so far.
onTheTable :: Question -> [Play]
onTheTable question = inTurn (position question + 4 - length (table question)) (table question)

inTurn :: Int -> [Card] -> [Play]
inTurn first = zip [turn `mod` 4 | turn <- [first ..]]

-- | Answer the question on standard input.
run :: String -> ([Card] -> IO [Card]) -> (Question -> IO Card) -> IO () -> IO ()
run playerName chooseDiscards chooseCard runUnitTests = do
  numbers <- map read . words <$> getContents
  case numbers of
    0 : _ -> putStrLn playerName
    1 : cards -> chooseDiscards cards >>= putStrLn . unwords . map show
    2 : about -> chooseCard (readQuestion about) >>= print
    _ -> runUnitTests

readQuestion :: [Int] -> Question
readQuestion (held : lying : place : numbers) = case split [held, lying, 4 * (10 - held), 3, 3] numbers of
  [cards, now, before, given, got] -> Question place cards now before given got
  _ -> error "a question has five groups"
readQuestion _ = error "the input ends where a number should be"

split :: [Int] -> [a] -> [[a]]
split [] _ = []
split (size : sizes) list = let (group, others) = splitAt size list in group : split sizes others

-- | Any of 0 ... n - 1: different in every run, unless the environment variable INTENSITY_SEED holds a number.
randomInt :: Int -> IO Int
randomInt n = atomicModifyIORef' generator next
  where
    next state = let new = state + 0x9e3779b97f4a7c15 in (new, fromIntegral (mix new `mod` fromIntegral n))

-- The state of splitmix64 (public domain, by Sebastiano Vigna): small, fast and good enough for cards.
generator :: IORef Word64
generator = unsafePerformIO (lookupEnv "INTENSITY_SEED" >>= maybe getMonotonicTimeNSec (return . read) >>= newIORef)
{-# NOINLINE generator #-}

mix :: Word64 -> Word64
mix a = c `xor` (c `shiftR` 31)
  where
    b = (a `xor` (a `shiftR` 30)) * 0xbf58476d1ce4e5b9
    c = (b `xor` (b `shiftR` 27)) * 0x94d049bb133111eb
