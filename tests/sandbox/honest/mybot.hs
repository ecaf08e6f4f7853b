-- What an honest bot uses of its library.
module Main where

import Control.Concurrent (forkIO, newEmptyMVar, putMVar, takeMVar, threadDelay)
import Control.Exception (SomeException, evaluate, try)
import Control.Monad (forM_, unless, when)
import qualified Control.Monad.State as State
import Data.Array (listArray, (!))
import Data.Bits (popCount, (.&.))
import qualified Data.ByteString.Char8 as Bytes
import Data.Char (toUpper)
import Data.IORef (modifyIORef', newIORef, readIORef)
import Data.List (foldl', sortOn)
import qualified Data.Map.Strict as Map
import Data.Maybe (fromMaybe)
import qualified Data.Set as Set
import qualified Data.Text as Text
import Data.Time.Clock (diffUTCTime, getCurrentTime)
import System.CPUTime (getCPUTime)
import System.Environment (getArgs, lookupEnv)
import System.Exit (exitWith, ExitCode (..))
import System.IO
import Text.Printf (hPrintf)
import Text.Read (readMaybe)

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  start <- getCurrentTime
  text <- getContents
  let counts = Map.fromListWith (+) [(map toUpper word, 1 :: Int) | word <- words text]
  evaluate (Map.size counts)
  sums <- newIORef (0 :: Int)
  forM_ [1 .. 100] $ \i -> modifyIORef' sums (+ i)
  total <- readIORef sums
  box <- newEmptyMVar
  _ <- forkIO (putMVar box (State.evalState (State.get >>= \it -> State.put 2 >> return it) (41 :: Int)))
  answer <- takeMVar box
  failed <- try (evaluate (1 `div` (0 :: Int))) :: IO (Either SomeException Int)
  home <- lookupEnv "HOME"
  arguments <- getArgs
  threadDelay 1000
  now <- getCurrentTime
  used <- getCPUTime
  let fine = total == 5050 && answer == 41 && either (const True) (const False) failed && null arguments
        && Set.size (Set.fromList "aab") == 2 && (listArray (0, 1) [3, 4 :: Int] ! 1) == 4 && used >= 0
        && diffUTCTime now start >= 0 && readMaybe "x" == (Nothing :: Maybe Int) && popCount (7 .&. 5 :: Int) == 2
        && Text.length (Text.pack "dk") == 2 && Bytes.length (Bytes.pack "dk") == 2
        && foldl' (+) 0 (sortOn negate [1, 2, 3 :: Int]) == 6
  unless fine $ exitWith (ExitFailure 2)
  when (home == Nothing) $ hPutStrLn stderr "homeless"
  hPrintf stderr "%.2f %s\n" (sqrt 2 :: Double) (fromMaybe "" home)
  putStrLn "ok"
