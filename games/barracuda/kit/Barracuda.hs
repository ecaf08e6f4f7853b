{-# LANGUAGE ForeignFunctionInterface #-}
{-# LANGUAGE ScopedTypeVariables #-}

-- | A client for the Barracuda contest server: connects, reads requests, sends answers, and connects again.
--
--     ghc random.hs && ./random HOST PORT [TOKEN]
--
-- Your own file gives 'run' a 'Player'; random.hs shows how. It needs nothing but GHC, on Linux or macOS.
module Barracuda
  ( State (..)
  , Choice (..)
  , Outcome (..)
  , Player (..)
  , run
  ) where

import Control.Concurrent (threadDelay)
import Control.Exception (IOException, bracket, try)
import Control.Monad (forever, when)
import qualified Data.ByteString.Char8 as B
import Data.Char (chr, isSpace)
import Data.Maybe (fromMaybe)
import Foreign
import Foreign.C
import GHC.IO.Handle.FD (fdToHandle)
import Numeric (readHex)
import System.Environment (getArgs, getProgName)
import System.Exit (exitFailure)
import System.IO
import System.Info (os)
import System.IO.Error (ioeGetErrorString)

-- | The game as you may see it.
data State = State
  { hand :: [Int] -- ^ your cards, 1 … 13, from high to low
  , card :: Maybe Int -- ^ the card on the table
  , handId :: Int -- ^ 1 for the first hand of a game
  , gameId :: Int -- ^ unique to this game
  , yourTricks, theirTricks :: Int -- ^ taken in this hand
  , canChallenge :: Bool -- ^ whether you may offer a challenge now
  , inChallenge :: Bool -- ^ whether one was accepted: this hand decides the game
  , totalTricks :: Int -- ^ played in this hand, ties included
  , yourPoints, theirPoints :: Int -- ^ in this game; ten win it
  , opponentId :: Int -- ^ the number of the other team
  , playerNumber :: Int -- ^ 0 if you led the game, else 1
  , remaining :: Double -- ^ seconds left on your clock for this whole game
  }

-- | What you do when it is your turn to play: a card of the hand, or a challenge where 'canChallenge' holds.
data Choice = Card Int | OfferChallenge

-- | The result of a move.
data Outcome = Outcome
  { kind :: String -- ^ "trick_won", "trick_tied", "hand_done", "game_won", "accepted" or "error"
  , by :: Maybe Int -- ^ a player number
  , lastCard :: Maybe Int -- ^ of "trick_won": the last card played
  , reason :: String -- ^ of "error"
  , me :: Int -- ^ your own player number
  }

-- | What you write.
data Player = Player
  { chooseCard :: State -> IO Choice
  , answerChallenge :: State -> IO Bool -- ^ whether to accept it
  , hearResult :: Outcome -> IO ()
  }

-- | Seconds between two attempts to connect. The server refuses earlier attempts.
wait :: Int
wait = 5

-- | Play until the server refuses us. Never returns.
run :: Player -> IO ()
run player = do
  arguments <- getArgs
  case arguments of
    host : port : token -> forever $ do
      ended <- try (bracket (connectTo host port) hClose (\server -> talk server token player))
      threadDelay (wait * 1000000) -- at home, the end of a match ends us here
      say ("no connection: " ++ either trouble id ended ++ "; trying again")
    _ -> do
      name <- getProgName
      say ("usage: " ++ name ++ " HOST PORT [TOKEN]")
      exitFailure
  where
    trouble (problem :: IOException) = ioeGetErrorString problem

say :: String -> IO ()
say = hPutStrLn stderr

-- | Play until the server closes the connection.
talk :: Handle -> [String] -> Player -> IO String
talk server token player = do
  mapM_ (\word -> send server ("{\"type\":\"login\",\"token\":\"" ++ word ++ "\"}")) (take 1 token)
  loop
  where
    loop = receive server >>= maybe (return "the server has closed it") (\message -> handle message >> loop)
    handle message = case text "type" message of
      "request" -> do
        response <- respond player message
        let number = show (whole "request_id" message)
        send server ("{\"type\":\"move\",\"request_id\":" ++ number ++ ",\"response\":{\"type\":" ++ response ++ "}}")
      "result" -> hearResult player (outcomeOf (whole "your_player_num" message) (member "result" message))
      "greetings_program" -> say ("connected, we are team " ++ show (whole "team_id" message))
      "error" -> do
        say ("the server refuses us: " ++ text "message" message ++ " (it sees us at " ++ text "seen_host" message ++ ")")
        exitFailure
      _ -> return () -- unknown to us

respond :: Player -> Json -> IO String
respond player message
  | text "request" message == "challenge_offered" = do
      accepts <- answerChallenge player state
      return (if accepts then show "accept_challenge" else show "reject_challenge")
  | otherwise = do
      choice <- chooseCard player state
      return $ case choice of
        Card number -> "\"play_card\",\"card\":" ++ show number
        OfferChallenge -> show "offer_challenge"
  where
    state = stateOf (real (member "remaining" message)) (member "state" message)

stateOf :: Double -> Json -> State
stateOf seconds from =
  State
    { hand = map (truncate . real) (items (member "hand" from))
    , card = maybeWhole "card" from
    , handId = whole "hand_id" from
    , gameId = whole "game_id" from
    , yourTricks = whole "your_tricks" from
    , theirTricks = whole "their_tricks" from
    , canChallenge = isTrue (member "can_challenge" from)
    , inChallenge = isTrue (member "in_challenge" from)
    , totalTricks = whole "total_tricks" from
    , yourPoints = whole "your_points" from
    , theirPoints = whole "their_points" from
    , opponentId = whole "opponent_id" from
    , playerNumber = whole "player_number" from
    , remaining = seconds
    }

outcomeOf :: Int -> Json -> Outcome
outcomeOf number from =
  Outcome
    { kind = text "type" from
    , by = maybeWhole "by" from
    , lastCard = maybeWhole "card" from
    , reason = text "reason" from
    , me = number
    }

-- The connection. GHC comes without a library for sockets, so these are the C library's.

foreign import ccall safe "getaddrinfo"
  c_getaddrinfo :: CString -> CString -> Ptr Word8 -> Ptr (Ptr Word8) -> IO CInt

foreign import ccall safe "freeaddrinfo" c_freeaddrinfo :: Ptr Word8 -> IO ()

foreign import ccall unsafe "socket" c_socket :: CInt -> CInt -> CInt -> IO CInt

foreign import ccall safe "connect" c_connect :: CInt -> Ptr Word8 -> CInt -> IO CInt

foreign import ccall unsafe "close" c_close :: CInt -> IO CInt

foreign import ccall unsafe "setsockopt" c_setsockopt :: CInt -> CInt -> CInt -> Ptr CInt -> CInt -> IO CInt

connectTo :: String -> String -> IO Handle
connectTo host port =
  withCString host $ \name -> withCString port $ \service ->
    allocaBytes 48 $ \hints -> alloca $ \found -> do
      fillBytes hints 0 48
      pokeByteOff hints 8 (1 :: CInt) -- SOCK_STREAM
      missing <- c_getaddrinfo name service hints found
      when (missing /= 0) $ ioError (userError ("there is no host " ++ host))
      bracket (peek found) c_freeaddrinfo tryEach

-- | Connect to the first of these addresses (struct addrinfo) that answers.
tryEach :: Ptr Word8 -> IO Handle
tryEach info = do
  family <- peekByteOff info 4
  size <- peekByteOff info 16
  address <- peekByteOff info (if os == "darwin" then 32 else 24)
  next <- peekByteOff info 40
  fd <- throwErrnoIfMinus1 "socket" (c_socket family 1 0)
  failed <- c_connect fd address size
  if failed == 0
    then with 1 (\on -> c_setsockopt fd 6 1 on 4) >> handleOf fd -- TCP_NODELAY
    else do
      problem <- errnoToIOError "connect" <$> getErrno <*> pure Nothing <*> pure Nothing
      _ <- c_close fd
      if next == nullPtr then ioError problem else tryEach next
  where
    handleOf fd = do
      server <- fdToHandle (fromIntegral (fd :: CInt))
      hSetBinaryMode server True
      return server

send :: Handle -> String -> IO ()
send server body = B.hPut server (B.pack (header ++ body)) >> hFlush server
  where
    header = [chr (length body `shiftR` bits `mod` 256) | bits <- [24, 16, 8, 0]]

-- | The next message; nothing when the server has closed the connection.
receive :: Handle -> IO (Maybe Json)
receive server = do
  header <- B.hGet server 4
  body <- B.hGet server (B.foldl' (\size byte -> size `shiftL` 8 + fromEnum byte) 0 header)
  return (if B.null body then Nothing else Just (fst (value (B.unpack body))))

-- JSON

data Json = Null | Bool Bool | Number Double | Text String | List [Json] | Object [(String, Json)]

-- | A member of an object; 'Null' when it is missing.
member :: String -> Json -> Json
member key (Object members) = fromMaybe Null (lookup key members)
member _ _ = Null

maybeWhole :: String -> Json -> Maybe Int
maybeWhole key from = case member key from of
  Number number -> Just (truncate number)
  _ -> Nothing

whole :: String -> Json -> Int
whole key = fromMaybe 0 . maybeWhole key

text :: String -> Json -> String
text key from = case member key from of
  Text found -> found
  _ -> ""

real :: Json -> Double
real (Number number) = number
real _ = 0

items :: Json -> [Json]
items (List found) = found
items _ = []

isTrue :: Json -> Bool
isTrue (Bool found) = found
isTrue _ = False

-- | The value at the beginning of a text, and the rest.
value :: String -> (Json, String)
value from = case dropWhile isSpace from of
  '{' : rest -> several '}' pair Object rest
  '[' : rest -> several ']' value List rest
  '"' : rest -> let (found, after) = quoted rest in (Text found, after)
  't' : rest -> (Bool True, drop 3 rest)
  'f' : rest -> (Bool False, drop 4 rest)
  'n' : rest -> (Null, drop 3 rest)
  rest -> case reads rest of
    [(number, after)] -> (Number number, after)
    _ -> (Null, "")

-- | The elements up to the closing bracket, made into one value.
several :: Char -> (String -> (a, String)) -> ([a] -> Json) -> String -> (Json, String)
several closing element make = go []
  where
    go found from = case dropWhile isSpace from of
      ',' : rest -> go found rest
      sign : rest | sign == closing -> (make (reverse found), rest)
      "" -> (make (reverse found), "")
      rest -> let (next, after) = element rest in go (next : found) after

pair :: String -> ((String, Json), String)
pair from = ((key, found), after)
  where
    (key, rest) = quoted (drop 1 from)
    (found, after) = value (drop 1 (dropWhile (/= ':') rest))

-- | The rest of a string, after its first quotation mark.
quoted :: String -> (String, String)
quoted ('"' : rest) = ("", rest)
quoted ('\\' : 'u' : a : b : c : d : rest) = chr (fst (head (readHex [a, b, c, d]))) `before` quoted rest
quoted ('\\' : sign : rest) = fromMaybe sign (lookup sign (zip "bfnrt" "\b\f\n\r\t")) `before` quoted rest
quoted (sign : rest) = sign `before` quoted rest
quoted "" = ("", "")

before :: Char -> (String, String) -> (String, String)
before sign (found, rest) = (sign : found, rest)
