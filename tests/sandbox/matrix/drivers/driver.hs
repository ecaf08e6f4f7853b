-- Makes the system calls that it is told on standard input.
module Main where

import Data.IORef
import Data.Int (Int64)
import Data.Word (Word8)
import Foreign.C.Error (Errno (..), getErrno)
import Foreign.C.Types
import Foreign.Marshal.Alloc (callocBytes)
import Foreign.Ptr
import Foreign.Storable
import Numeric (readHex, showHex)
import System.CPUTime (getCPUTime)
import System.IO

foreign import ccall unsafe "syscall"
  rawCall :: CLong -> CLong -> CLong -> CLong -> CLong -> CLong -> CLong -> IO CLong

number :: String -> Int64
number = read

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  memory <- callocBytes 65536 :: IO (Ptr Word8)
  results <- newIORef [0 :: Int64]
  times <- newIORef (1 :: Int)
  let start = let IntPtr at = ptrToIntPtr memory in fromIntegral at :: Int64
      value known ('m' : rest) = start + number rest
      value known ('r' : rest) =
        let (index, more) = span (/= '+') rest
         in if null more || known !! read index < 0 then known !! read index else known !! read index + number (drop 1 more)
      value known word = number word
      pairs (a : b : rest) = fst (head (readHex [a, b])) : pairs rest
      pairs _ = []
      hex byte = let text = showHex byte "" in if length text < 2 then '0' : text else text
      store at wanted = poke (castPtr (memory `plusPtr` fromIntegral (number at))) (wanted :: Int64)
      again 0 _ result = return result
      again n action _ = action >>= again (n - 1 :: Int) action
      burn until = do
        now <- getCPUTime
        if now < until then burn until else return ()
      loop = do
        done <- isEOF
        if done then return () else do
          line <- getLine
          known <- readIORef results
          case words line of
            ["w", at, text] ->
              mapM_ (\(index, byte) -> pokeByteOff memory (fromIntegral (number at) + index) (byte :: Word8))
                (zip [0 ..] (pairs text)) >> loop
            ["p", at, target] -> store at (start + number target) >> loop
            ["q", at, index] -> store at (known !! read index) >> loop
            ["n", count] -> writeIORef times (read count) >> loop
            ("c" : rest) -> do
              count <- readIORef times
              writeIORef times 1
              let arguments = map (fromIntegral . value known) rest ++ repeat 0
                  [a, b, c, d, e, f, g] = take 7 arguments
              result <- again count (rawCall a b c d e f g) 0
              Errno failed <- getErrno
              let final = if result == -1 then negate (fromIntegral failed) else fromIntegral result
              modifyIORef results (++ [final])
              putStrLn ("c " ++ show (length known) ++ " " ++ show final)
              loop
            ("i" : _) -> putStrLn "u no machine code" >> loop
            ["d", at, size] -> do
              bytes <- mapM (peekByteOff memory) [fromIntegral (number at) .. fromIntegral (number at + number size) - 1]
              putStrLn ("d " ++ concatMap hex (bytes :: [Word8]))
              loop
            ["b", ms] -> do
              now <- getCPUTime
              burn (now + fromIntegral (number ms) * 1000000000)
              loop
            ("h" : _) -> putStrLn "held" >> getLine >> loop
            _ -> return ()
  loop
  putStrLn "end"
