{-# LANGUAGE ForeignFunctionInterface #-}

-- | Speaks the protocol of Barracuda without a kit: plays its highest card, and rejects every challenge.
module Main (main) where

import Data.Char (chr, isDigit)
import Data.List (isInfixOf, isPrefixOf, tails)
import Foreign
import Foreign.C
import GHC.IO.Handle.FD (fdToHandle)
import System.Environment (getArgs)
import System.IO

foreign import ccall "socket" c_socket :: CInt -> CInt -> CInt -> IO CInt

foreign import ccall "connect" c_connect :: CInt -> Ptr Word8 -> CInt -> IO CInt

main :: IO ()
main = do
  port <- read . (!! 1) <$> getArgs
  fd <- c_socket 2 1 0
  let place = [2, 0, fromIntegral (port `div` 256 :: Int), fromIntegral (port `mod` 256), 127, 0, 0, 1] ++ replicate 8 0
  _ <- throwErrnoIfMinus1 "connect" (withArray place (\address -> c_connect fd address 16))
  server <- fdToHandle (fromIntegral fd)
  hSetBinaryMode server True
  play server

play :: Handle -> IO ()
play server = do
  size <- foldl (\sum' sign -> 256 * sum' + fromEnum sign) 0 <$> mapM (const (hGetChar server)) [1 .. 4 :: Int]
  message <- mapM (const (hGetChar server)) [1 .. size]
  if "\"type\":\"request\"" `isInfixOf` message then answer message else return ()
  play server
  where
    answer message = do
      let move = "{\"type\":\"move\",\"request_id\":" ++ after "\"request_id\":" message ++ ",\"response\":{\"type\":"
          response
            | "request_card" `isInfixOf` message = "\"play_card\",\"card\":" ++ after "\"hand\":[" message
            | otherwise = "\"reject_challenge\""
          body = move ++ response ++ "}}"
      hPutStr server (map chr [0, 0, 0, length body] ++ body)
      hFlush server

-- | The number after a key.
after :: String -> String -> String
after key message = head [takeWhile isDigit (drop (length key) rest) | rest <- tails message, key `isPrefixOf` rest]
