-- Works hard: much input, garbage, exceptions, much output.
module Main where

import Control.Exception
import Control.Monad (forM_, replicateM_)
import qualified Data.IORef as Ref
import qualified Data.Map.Strict as Map
import Foreign.Marshal.Alloc (allocaBytes)
import System.CPUTime (getCPUTime)
import System.IO
import System.Mem (performGC)

count :: Int -> IO Int
count size = do
  n <- allocaBytes 65536 (\piece -> hGetBuf stdin piece 65536)
  if n == 0 then return size else count (size + n)

main :: IO ()
main = do
  size <- count 0
  caught <- Ref.newIORef (0 :: Int)
  forM_ [1 .. 2000 :: Int] $ \i -> do
    result <- try (evaluate (Map.fromList [(n, n * i) | n <- [1 .. 20 :: Int]] Map.! 21)) :: IO (Either SomeException Int)
    either (const (Ref.modifyIORef' caught (+ 1))) (const (return ())) result
  performGC
  getCPUTime >>= hPutStrLn stderr . show
  replicateM_ 3000 (putStrLn (replicate 63 '0'))
  putStrLn ("ok " ++ show size)
  hFlush stdout
  done <- Ref.readIORef caught
  if done == 2000 then return () else ioError (userError "some were not caught")
