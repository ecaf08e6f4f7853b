-- Acm98.hs - what your Tricky Eights contestant may use, and the part that talks to the server. Do not change it: the contest
-- builds your player with its own copy.
--
-- You write six functions (shell.hs describes them):
--
--     startGame   startRound   takeCard   endTakes   playCard   endRound
--
-- They are the fields of a Contestant. Your main hands one to `run`, which reads what the server says, keeps a Game up to date,
-- calls your functions with it and sends the cards they return.
--
-- Print nothing to standard output: it belongs to the server. Debug with `debug`; only your team can read that afterwards.
-- (`putStrLn` and `print` write to standard output.)
module Acm98
  ( Card, Player, Suit, Place (..), Trick (..), Game (..), Contestant (..)
  , north, east, south, west, clubs, diamonds, hearts, spades, jack, queen, king, ace
  , suit, face, makeCard, cardName, cardFromName, playerName, nextPlayer
  , count, legalCards, isLegal, wouldWin, countSuit, countHigher, isSeen, trickPoints, randomInt, debug, run
  ) where

import Control.Exception (evaluate)
import Control.Monad (replicateM, unless, when)
import Data.Bits (shiftR, xor)
import Data.Char (toUpper)
import Data.IORef
import Data.List (delete, elemIndex)
import Data.Maybe (catMaybes, fromMaybe)
import Data.Word (Word64)
import GHC.Clock (getMonotonicTimeNSec)
import System.CPUTime (getCPUTime)
import System.Environment (lookupEnv)
import System.Exit (exitFailure, exitSuccess)
import System.IO
import System.IO.Unsafe (unsafePerformIO)

-- ---------------------------------------------------------------------------------------------------------------------
-- Players, suits, faces, cards
-- ---------------------------------------------------------------------------------------------------------------------

-- | Players sit clockwise in this order. The player after p is nextPlayer p.
type Player = Int

north, east, south, west :: Player
[north, east, south, west] = [0 .. 3]

type Suit = Int

clubs, diamonds, hearts, spades :: Suit
[clubs, diamonds, hearts, spades] = [0 .. 3]

-- | Faces are 2 ... 14. The cards between are simply 2 ... 10.
jack, queen, king, ace :: Int
[jack, queen, king, ace] = [11 .. 14]

-- | A card is a number 0 ... 51, so that it can be an index: first the clubs from 2 to ace (0 ... 12), then the diamonds, the
-- hearts and the spades. suit, face and makeCard take it apart and put it together.
type Card = Int

-- | clubs ... spades.
suit :: Card -> Suit
suit card = card `div` 13

-- | 2 ... ace.
face :: Card -> Int
face card = card `mod` 13 + 2

-- | makeCard hearts 8 is the eight of hearts.
makeCard :: Suit -> Int -> Card
makeCard s f = s * 13 + f - 2

-- | The name of a card as the server writes it, such as "dk".
cardName :: Card -> String
cardName card
  | card >= 0 && card < 52 = ["cdhs" !! suit card, "23456789tjqka" !! (card `mod` 13)]
  | otherwise = "??"

-- | The inverse: cardFromName "dk". Nothing if it is not a card.
cardFromName :: String -> Maybe Card
cardFromName name = name `elemIndex` map cardName [0 .. 51]

playerName :: Player -> String
playerName player = ["north", "east", "south", "west"] !! player

nextPlayer :: Player -> Player
nextPlayer player = (player + 1) `mod` 4

-- ---------------------------------------------------------------------------------------------------------------------
-- The game
-- ---------------------------------------------------------------------------------------------------------------------

-- | Where a card is, as far as you can know: place game !! card.
data Place
  = Hidden   -- ^ dealt to one of the other players, you do not know to whom
  | InPool   -- ^ face up in the pool, may still be taken
  | Held     -- ^ in the hand of player `owner game !! card`: yours, or taken from the pool where everybody saw it
  | OnTable  -- ^ on the table, in the current trick
  | Played   -- ^ went with an earlier trick
  deriving (Eq, Enum, Show)

-- | One trick, finished or not.
data Trick = Trick
  { leader :: Player            -- ^ who played the first card
  , cards :: [(Player, Card)]   -- ^ who played what, in that order; `lookup p (cards trick)` is what player p played
  , winner :: Maybe Player      -- ^ who wins it as it stands (Nothing while it is empty)
  , worth :: Int                -- ^ its points as it stands: 1 (first and last trick 3) and 2 for each eight
  }
  deriving (Show)

-- | How many cards a trick has, 0 ... 4.
count :: Trick -> Int
count = length . cards

-- | Everything you know.
data Game = Game
  { me :: Player          -- ^ which player you are: north ... west
  , roundNumber :: Int    -- ^ number of the round, from 1
  , dealer :: Player      -- ^ dealer of this round: takes first, and leads the first trick
  , total :: [Int]        -- ^ points of all finished rounds. In endRound this round is already in it.
  , points :: [Int]       -- ^ points made in this round so far

  -- Your hand: the cards you hold now, in the order in which you got them. Cards you played are no longer in it.
  , hand :: [Card]

  -- The takes
  , pool :: [Card]        -- ^ the cards left in the pool: during takeCard, those you may choose from
  , takes :: [[Card]]     -- ^ takes !! p: what player p took so far, in that order

  -- The play
  , trickNumber :: Int    -- ^ number of the current trick 1 ... 13; 0 during the takes, 14 in endRound
  , trick :: Trick        -- ^ the current trick: in playCard the cards that were played before you
  , past :: [Trick]       -- ^ the finished tricks of this round

  -- What you know of every card and every player: a card counter's table, kept for you
  , place :: [Place]      -- ^ by the card
  , owner :: [Maybe Player]  -- ^ who holds, played or took that card; Nothing for a card that is Hidden or InPool
  , cardsLeft :: [Int]    -- ^ how many cards player p holds
  , isOut :: [[Bool]]     -- ^ isOut !! p !! suit: player p has none left, because it did not follow
  }
  deriving (Show)

-- | What you write. None of these may take more than 4 seconds.
data Contestant = Contestant
  { startGame :: IO ()
  , startRound :: Game -> IO ()
  , takeCard :: Game -> IO Card
  , endTakes :: Game -> IO ()
  , playCard :: Game -> IO Card
  , endRound :: Game -> IO ()
  }

-- ---------------------------------------------------------------------------------------------------------------------
-- Helper routines
-- ---------------------------------------------------------------------------------------------------------------------

-- | The cards you may play now: those of the suit led, if you have any, or else your whole hand. During the takes: the pool.
legalCards :: Game -> [Card]
legalCards game
  | trickNumber game == 0 = pool game
  | null following = hand game
  | otherwise = following
  where
    led = suit <$> lookup (leader (trick game)) (cards (trick game))
    following = filter ((== led) . Just . suit) (hand game)

-- | Whether you may play (during the takes: take) this card now.
isLegal :: Game -> Card -> Bool
isLegal game card = card `elem` legalCards game

-- | Whether this card would be the winning one of the current trick if you played it now.
wouldWin :: Game -> Card -> Bool
wouldWin game card = case winner (trick game) >>= (`lookup` cards (trick game)) of
  Just best -> suit card == suit best && card > best
  Nothing -> True

-- | How many cards of a suit you hold.
countSuit :: Game -> Suit -> Int
countSuit game wanted = length (filter ((== wanted) . suit) (hand game))

-- | How many cards that beat this one (same suit, higher) may still come from the other players: those that are not yours, not
-- played and not on the table. 0: nobody can beat it any more, if its suit is led.
countHigher :: Game -> Card -> Int
countHigher game card = length (filter mayCome [card + 1 .. suit card * 13 + 12])
  where
    mayCome other = place game !! other `notElem` [Played, OnTable] && owner game !! other /= Just (me game)

-- | Whether you know where this card is: it was played, is face up, was taken by somebody, or is yours.
isSeen :: Game -> Card -> Bool
isSeen game card = place game !! card /= Hidden

-- | What trick 1 ... 13 with these cards is worth: 1, or 3 for the first and the last, and 2 for each eight.
trickPoints :: Int -> [Card] -> Int
trickPoints number those = (if number `elem` [1, 13] then 3 else 1) + 2 * length (filter ((== 8) . face) those)

-- | A random number 0 ... n - 1, evenly distributed. Different in every run, unless the environment variable ACM98_SEED holds a
-- number (to debug: the same number gives the same random numbers; it is not set in the contest).
randomInt :: Int -> IO Int
randomInt n = atomicModifyIORef' generator next
  where
    next state = (state + 0x9e3779b97f4a7c15, fromIntegral (mix (state + 0x9e3779b97f4a7c15) `mod` fromIntegral n))

-- | Writes a line to standard error.
debug :: String -> IO ()
debug = hPutStrLn stderr

-- ---------------------------------------------------------------------------------------------------------------------
-- You need not read beyond this line.
-- ---------------------------------------------------------------------------------------------------------------------

-- The state of splitmix64 (public domain, by Sebastiano Vigna): small, fast and good enough for cards.
generator :: IORef Word64
generator = unsafePerformIO (lookupEnv "ACM98_SEED" >>= maybe getMonotonicTimeNSec (return . read) >>= newIORef)
{-# NOINLINE generator #-}

mix :: Word64 -> Word64
mix a = c `xor` (c `shiftR` 31)
  where
    b = (a `xor` (a `shiftR` 30)) * 0xbf58476d1ce4e5b9
    c = (b `xor` (b `shiftR` 27)) * 0x94d049bb133111eb

data Library = Library
  { own :: Contestant
  , truth :: IORef Game                -- what the server told us
  , input :: IORef [String]            -- the words that are still to come
  , used :: IORef [(String, Integer)]  -- picoseconds of processor time since our last answer, by the function
  , takesEnded :: IORef Bool
  , roundEnded :: IORef Bool
  }

-- | Plays: call this once, in your main. It ends your program when the server has nothing more to say.
--
-- It reads the commands, one word at a time:
--
--     starthand WHO ten-cards twelve-cards             a round begins
--     take  (WHO CARD)x0..3 ME                         take a card from the pool      -> we answer with a card
--     aftertake (WHO CARD)x4                           what everybody took
--     play  (WHO CARD)x0..3 ME                         play a card                    -> we answer with a card
--     result (WHO CARD)x4   or   resultoftrick ...     what everybody played
--     endround              or   end A B C D           the round is over
--
-- Any other word is ignored, and so are superfluous cards and numbers. What aftertake and result say is what counts; our own
-- answer changes nothing by itself.
--
-- None of your functions may take more than 4 seconds. When one has used 10 milliseconds or more of processor time, our next
-- answer says so, as in `dk cpu StartRound 31 TakeCard 512`.
run :: Contestant -> IO ()
run contestant = do
  hSetBinaryMode stdin True -- bytes that are no text in this locale are no reason to end
  hSetBuffering stderr LineBuffering
  text <- getContents
  library <-
    Library contestant <$> newIORef (newGame north 0 [0, 0, 0, 0]) <*> newIORef (words text) <*> newIORef []
      <*> newIORef False <*> newIORef True
  timed library "startGame" (const (startGame contestant))
  let loop = readWord library >>= hear library >> loop
  loop

newTrick :: Player -> Int -> Trick
newTrick first = Trick first [] Nothing

newGame :: Player -> Int -> [Int] -> Game
newGame player number before =
  Game
    { me = player, roundNumber = number, dealer = first, total = before, points = [0, 0, 0, 0], hand = [], pool = []
    , takes = [[], [], [], []], trickNumber = 0, trick = newTrick first 1, past = [], place = replicate 52 Hidden
    , owner = replicate 52 Nothing, cardsLeft = [10, 10, 10, 10], isOut = replicate 4 (replicate 4 False)
    }
  where
    first = (number + 3) `mod` 4

hear :: Library -> String -> IO ()
hear it "starthand" = startHand it
hear it "take" = do
  first <- readOthers it tellTake
  modifyIORef' (truth it) (\game -> game {dealer = first})
  timed it "takeCard" (takeCard (own it)) >>= answer it "takeCard"
hear it "aftertake" = do
  first <- readFour it tellTake
  modifyIORef' (truth it) (\game -> game {dealer = first})
  game <- readIORef (truth it)
  when (null (pool game)) $ endTakesOnce it
hear it "play" = do
  endTakesOnce it -- for a person who types and left out an aftertake
  first <- readOthers it tellPlay
  modifyIORef' (truth it) (\game -> game {trick = (trick game) {leader = first}})
  timed it "playCard" (playCard (own it)) >>= answer it "playCard"
hear it word
  | word `elem` ["result", "resultoftrick"] = readFour it tellPlay >> modifyIORef' (truth it) finishTrick
  | word `elem` ["endround", "end"] = once (roundEnded it) $ do
      modifyIORef' (truth it) (\game -> game {total = zipWith (+) (total game) (points game)})
      timed it "endRound" (endRound (own it))
  | otherwise = return ()

-- What is done only the first time.
once :: IORef Bool -> IO () -> IO ()
once done action = do
  before <- readIORef done
  unless before (writeIORef done True >> action)

timed :: Library -> String -> (Game -> IO a) -> IO a
timed it name function = do
  game <- readIORef (truth it)
  started <- getCPUTime
  result <- function game >>= evaluate
  ended <- getCPUTime
  modifyIORef' (used it) ((name, ended - started) :)
  return result

answer :: Library -> String -> Card -> IO ()
answer it name card = do
  game <- readIORef (truth it)
  let why
        | name == "takeCard" = "is not in the pool"
        | card `elem` hand game = "does not follow suit"
        | otherwise = "is not in your hand"
  unless (isLegal game card) $ debug ("acm98: " ++ name ++ " returned " ++ cardName card ++ ", which " ++ why)
  times <- readIORef (used it)
  writeIORef (used it) []
  let functions = ["startGame", "startRound", "takeCard", "endTakes", "playCard", "endRound"]
      ms function = sum [time | (one, time) <- times, one == function] `div` 1000000000
      report = concat [[toUpper f : unction, show (ms (f : unction))] | f : unction <- functions, ms (f : unction) >= 10]
  putStrLn (unwords (cardName card : (if null report then [] else "cpu" : report)))
  hFlush stdout

-- The end of input ends the program.
readWord :: Library -> IO String
readWord it = do
  left <- readIORef (input it)
  case left of
    [] -> exitSuccess
    word : rest -> writeIORef (input it) rest >> return word

readCard :: Library -> IO (Maybe Card)
readCard it = do
  word <- readWord it
  when (cardFromName word == Nothing) $ debug ("acm98: \"" ++ word ++ "\" is not a card")
  return (cardFromName word)

readPlayer :: Library -> IO (Maybe Player)
readPlayer it = do
  word <- readWord it
  let player = word `elemIndex` ["n", "e", "s", "w"]
  when (player == Nothing) $ debug ("acm98: \"" ++ word ++ "\" is not a player")
  return player

-- The players and cards of a question, up to our own place. Returns who was first. The commented game on paper shows our answer
-- behind it: that is then a word too many.
readOthers :: Library -> (Player -> Card -> Game -> Game) -> IO Player
readOthers it tell = do
  mine <- me <$> readIORef (truth it)
  let more (Just player) | player /= mine = do
        readCard it >>= mapM_ (modifyIORef' (truth it) . tell player)
        readPlayer it >>= more
      more _ = return ()
  first <- readPlayer it
  more first
  return (fromMaybe mine first)

-- The four players and cards of a summary. Returns who was first.
readFour :: Library -> (Player -> Card -> Game -> Game) -> IO Player
readFour it tell = do
  pairs <- replicateM 4 ((,) <$> readPlayer it <*> readCard it)
  sequence_ [modifyIORef' (truth it) (tell player card) | (Just player, Just card) <- pairs]
  game <- readIORef (truth it)
  return (fromMaybe (dealer game) (fst (head pairs)))

-- Somebody took a card from the pool. Hearing it twice (in a question, then in the summary) changes nothing.
tellTake :: Player -> Card -> Game -> Game
tellTake player card game
  | card `notElem` pool game = game
  | otherwise =
      game
        { pool = delete card (pool game)
        , place = at card (const Held) (place game)
        , owner = at card (const (Just player)) (owner game)
        , takes = at player (++ [card]) (takes game)
        , cardsLeft = at player (+ 1) (cardsLeft game)
        , hand = hand game ++ [card | player == me game]
        }

-- Somebody played a card to the current trick. Hearing it twice changes nothing.
tellPlay :: Player -> Card -> Game -> Game
tellPlay player card game
  | player `elem` map fst (cards before) = game
  | otherwise =
      game
        { trick = Trick first those (if wouldWin game card then Just player else winner before) value
        , place = at card (const OnTable) (place game)
        , owner = at card (const (Just player)) (owner game)
        , cardsLeft = at player (subtract 1) (cardsLeft game)
        , isOut = if suit card == led then isOut game else at player (at led (const True)) (isOut game)
        , hand = delete card (hand game)
        }
  where
    before = trick game
    those = cards before ++ [(player, card)]
    first = if null (cards before) then player else leader before
    led = maybe (suit card) suit (lookup first those)
    value = trickPoints (trickNumber game) (map snd those)

finishTrick :: Game -> Game
finishTrick game = case winner done of
  Just player | trickNumber game >= 1 && trickNumber game <= 13 ->
    game
      { place = foldr ((`at` const Played) . snd) (place game) (cards done)
      , points = at player (+ worth done) (points game)
      , past = past game ++ [done]
      , trickNumber = trickNumber game + 1
      , trick = newTrick player (trickPoints (trickNumber game + 1) [])
      }
  _ -> game
  where
    done = trick game

-- The list with one value changed.
at :: Int -> (a -> a) -> [a] -> [a]
at index change list = [if i == index then change value else value | (i, value) <- zip [0 ..] list]

startHand :: Library -> IO ()
startHand it = do
  before <- readIORef (truth it)
  player <- readPlayer it >>= maybe exitFailure return
  mine <- catMaybes <$> replicateM 10 (readCard it)
  open <- catMaybes <$> replicateM 12 (readCard it)
  let game = newGame player (roundNumber before + 1) (total before)
      wherever card
        | card `elem` mine = Held
        | card `elem` open = InPool
        | otherwise = Hidden
      holder card = if card `elem` mine then Just player else Nothing
  writeIORef (truth it) game {hand = mine, pool = open, place = map wherever [0 .. 51], owner = map holder [0 .. 51]}
  writeIORef (takesEnded it) False
  writeIORef (roundEnded it) False
  timed it "startRound" (startRound (own it))

endTakesOnce :: Library -> IO ()
endTakesOnce it = once (takesEnded it) $ do
  modifyIORef' (truth it) (\game -> game {trickNumber = 1, trick = newTrick (dealer game) 3})
  timed it "endTakes" (endTakes (own it))
