-- Steven.hs - talks to the dealer of Even Steven for you. Do not change it: the portal has its own.
--
--     import Steven
--
--     main :: IO ()
--     main = playGames (\game _open -> return (head (hand game)))
--
-- playGames asks your function about every card that must be covered, and plays the card of the hand that it returns. It
-- ends when all games are over.
-- All of this is optional: a program that reads and writes the lines of rules.md itself is just as good.
module Steven (Card (..), Game (..), covers, debug, playGames, randomInt) where

import Control.Monad (unless, when)
import Data.Bits (shiftR, xor)
import Data.Char (isDigit)
import Data.IORef (IORef, atomicModifyIORef', newIORef)
import Data.List (delete)
import Data.Maybe (mapMaybe)
import Data.Word (Word64)
import GHC.Clock (getMonotonicTimeNSec)
import System.Environment (getArgs, lookupEnv)
import System.IO (hFlush, hPutStrLn, hSetBinaryMode, isEOF, stderr, stdin, stdout)
import System.IO.Unsafe (unsafePerformIO)

-- | A card. show gives its name as the dealer writes it, such as 10c.
data Card = Card
  { value :: Int   -- ^ 2 ... 14: jack 11, queen 12, king 13, ace 14
  , suit :: Char   -- ^ 'c', 'd', 'h', 's': it has no effect on anything
  }
  deriving (Eq)

instance Show Card where
  show card = (values !! (value card - 2)) ++ [suit card]

-- | What you know of the game in progress.
data Game = Game
  { number :: Int     -- ^ of this game: 1, 2, 3, ...
  , size :: Int       -- ^ cards that you were dealt, and that you must cover
  , hand :: [Card]    -- ^ the cards that you still hold, in the order of the deal
  , past :: [Card]    -- ^ all cards dealt so far, in order; the last is the one that you must cover now
  , played :: [Card]  -- ^ what you played on them
  , won :: Int        -- ^ games so far
  , lost :: Int
  }
  deriving (Show)

-- | Whether a card of yours may lie on that dealt card.
covers :: Card -> Card -> Bool
covers mine dealt = value mine >= value dealt

-- | Plays all games: your function gets the game and the card that must be covered, and returns a card of the hand.
playGames :: (Game -> Card -> IO Card) -> IO ()
playGames chooseCard = do
  hSetBinaryMode stdin True -- bytes that are no text in this locale are no reason to end
  go (Game 0 0 [] [] [] 0 0)
  where
    go game = do
      ended <- isEOF
      unless ended (getLine >>= hear game . words >>= go)

    hear game ("YOU" : "WIN" : _) = return game {won = won game + 1}
    hear game ("YOU" : "LOSE" : _) = return game {lost = lost game + 1}
    hear game (word : names)
      | all isDigit word =
          return game {number = number game + 1, size = read word, hand = mapMaybe named names, past = [], played = []}
      | Just open <- named word = do
          let asked = game {past = past game ++ [open]}
          card <- chooseCard asked open
          when (card `notElem` hand asked) $ hPutStrLn stderr ("steven: " ++ show card ++ " is not in your hand")
          say (show card)
          return asked {hand = delete card (hand asked), played = played asked ++ [card]}
    hear game _ = return game

-- | Writes a line for debugging: the dealer prints it after a `*`. In the contest, where the program is started without an
-- argument, nothing is written.
debug :: String -> IO ()
debug line = do
  arguments <- getArgs
  unless (null arguments) $ say ("* " ++ line)

-- | Any of 0 ... n - 1. To repeat a run exactly, set the environment variable STEVEN_SEED to a number.
randomInt :: Int -> IO Int
randomInt n = atomicModifyIORef' generator next
  where
    next state = (state + 0x9e3779b97f4a7c15, fromIntegral (mix (state + 0x9e3779b97f4a7c15) `mod` fromIntegral n))

-- You need not read beyond this line.

values :: [String]
values = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]

named :: String -> Maybe Card
named word = lookup word [(show card, card) | card <- [Card v s | v <- [2 .. 14], s <- "cdhs"]]

say :: String -> IO ()
say line = putStrLn line >> hFlush stdout

-- The state of splitmix64 (public domain, by Sebastiano Vigna): small, fast and good enough for cards.
generator :: IORef Word64
generator = unsafePerformIO (lookupEnv "STEVEN_SEED" >>= maybe getMonotonicTimeNSec (return . read) >>= newIORef)
{-# NOINLINE generator #-}

mix :: Word64 -> Word64
mix a = c `xor` (c `shiftR` 31)
  where
    b = (a `xor` (a `shiftR` 30)) * 0xbf58476d1ce4e5b9
    c = (b `xor` (b `shiftR` 27)) * 0x94d049bb133111eb
