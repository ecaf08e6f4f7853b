import scala.io.StdIn

object mybot {
  def main(arguments: Array[String]): Unit = {
    var hand = List[String]()
    var pool = List[String]()
    for (line <- Iterator.continually(StdIn.readLine()).takeWhile(_ != null)) {
      val words = line.split(" ").toList
      words.head match {
        case "starthand" =>
          hand = words.slice(2, 12)
          pool = words.drop(12)
        case "take" =>
          pool = pool.filterNot(words.contains)
          println(pool.head)
          hand = hand :+ pool.head
          pool = pool.tail
        case "aftertake" =>
          pool = pool.filterNot(words.contains)
        case "play" =>
          val card = hand.find(words.size > 2 && _.head == words(2).head).getOrElse(hand.head)
          hand = hand.filterNot(_ == card)
          println(card)
        case "result" | "endround" =>
        case _ =>
          println("got " + line)
      }
    }
  }
}
