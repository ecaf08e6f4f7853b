// What an honest bot uses of its library.
import scala.collection.immutable.{BitSet, TreeMap}
import scala.collection.mutable
import scala.concurrent.duration._
import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.{Await, Future}
import scala.io.StdIn
import scala.util.{Failure, Random, Success, Try}

case class Card(suit: Char, value: Int) extends Ordered[Card] {
  def compare(other: Card): Int = value compare other.value
}
sealed trait Ask
case object Play extends Ask
case class Take(cards: List[Card]) extends Ask

object mybot {
  def main(words: Array[String]): Unit = {
    val seen = mutable.Map[String, Int]().withDefaultValue(0)
    Iterator.continually(StdIn.readLine()).takeWhile(_ != null).flatMap(_.split("\\s+")).foreach(seen(_) += 1)
    val deck = Random.shuffle((0 until 52).toVector.map(i => Card("cdhs"(i % 4), i)))
    assert(deck.max.value == 51 && deck.groupBy(_.suit).mapValues(_.size).toMap.values.forall(_ == 13))
    val start = System.nanoTime()
    assert(Await.result(Future(40).map(_ + 2), 5.seconds) == 42)
    Try("x".toInt) match {
      case Success(_) => sys.exit(2)
      case Failure(error) => Console.err.println(error)
    }
    val asked: Ask = Take(deck.sorted.take(4).toList)
    asked match {
      case Take(cards) => assert(cards.map(_.value).sum == 6)
      case Play => sys.exit(3)
    }
    assert(TreeMap(2 -> 'b', 1 -> 'a').head._1 == 1 && BitSet(1, 2, 2).size == 2 && BigInt(12).pow(20) > 0)
    val card = "([cdhs])(\\w)".r
    val card(suit, _) = "dk"
    lazy val primes: Stream[Int] = 2 #:: Stream.from(3).filter(n => primes.takeWhile(p => p * p <= n).forall(n % _ != 0))
    assert(suit == "d" && primes.take(5).last == 11 && f"${math.sqrt(2)}%.2f" == "1.41" && System.nanoTime() >= start)
    Thread.sleep(1)
    println("ok")
  }
}
