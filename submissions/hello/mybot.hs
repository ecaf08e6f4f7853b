import Data.List (delete, find, (\\))
import Data.Maybe (fromMaybe)
import System.IO

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  input <- getContents
  converse [] [] (lines input)

converse :: [String] -> [String] -> [String] -> IO ()
converse _ _ [] = return ()
converse hand pool (line : rest) = case words line of
  "starthand" : _ : cards -> converse (take 10 cards) (drop 10 cards) rest
  "take" : shown -> do
    let card : left = pool \\ shown
    putStrLn card
    converse (hand ++ [card]) left rest
  "aftertake" : shown -> converse hand (pool \\ shown) rest
  "play" : shown -> do
    let suited = if length shown > 1 then find ((== head (shown !! 1)) . head) hand else Nothing
        card = fromMaybe (head hand) suited
    putStrLn card
    converse (delete card hand) pool rest
  "result" : _ -> converse hand pool rest
  "endround" : _ -> converse hand pool rest
  _ -> putStrLn ("got " ++ line) >> converse hand pool rest
