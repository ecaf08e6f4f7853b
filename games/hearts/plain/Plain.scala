// Speaks the protocol of Hearts without a kit: passes the first three cards, and plays the first that may be played.
object Plain {
  var hand = Vector.empty[String]
  var seat = 0

  def choose(trick: String, led: Option[String]): Int = {
    val held = hand.indices.filter(place => hand(place).nonEmpty)
    def may(card: String): Boolean = led match {
      case Some(first) => card.last == first.last
      case None => if (trick == "0") card == "2C" else card.last != 'H'
    }
    held.find(place => may(hand(place))).getOrElse(held.head)
  }

  def hear(words: Vector[String]): Unit = words.head match {
    case "hello" | "end" => println(words.head)
    case "game" => seat = words(5).toInt
    case "hand" => hand = words.drop(2)
    case "pass" => println("0 1 2")
    case "received" => for (Vector(place, card) <- words.tail.grouped(2)) hand = hand.updated(place.toInt, card)
    case "play" => println(choose(words(1), words.lift(3)))
    case "trick" => hand = hand.map(card => if (card == words(1 + seat)) "" else card)
    case _ =>
  }

  def main(args: Array[String]): Unit =
    for (line <- scala.io.Source.stdin.getLines()) hear(line.split(" ").toVector)
}
