import Data.Aeson (decode)

main :: IO ()
main = print (decode "1" :: Maybe Int)
